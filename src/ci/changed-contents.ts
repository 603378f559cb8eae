import type { ChangedContent } from '../compose/evaluate-change.ts';
import { splitNul } from '../platform/git/git.ts';
import type { RemoteDesk } from '../platform/git/remote.ts';

const MODE_EXECUTABLE = '100755';

/** The plain files that a commit changes, with their contents. Throws RalphError if git fails. */
export async function changedContents(
  desk: RemoteDesk,
  head: string,
  commit: string,
): Promise<ChangedContent[]> {
  const listed = splitNul(await desk.git(['diff-tree', '-r', '-z', '--no-renames', head, commit]));
  const files: ChangedContent[] = [];
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const [, mode = '', , id = ''] = listed[at]!.toString('latin1').split(' ');
    files.push({
      path: listed[at + 1]!.toString('utf8'),
      isExecutable: mode === MODE_EXECUTABLE,
      content: /^0+$/.test(id) ? undefined : await desk.git(['cat-file', 'blob', id]),
    });
  }
  return files;
}
