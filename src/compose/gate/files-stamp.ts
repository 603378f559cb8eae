import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolders } from '../../platform/git/git-folders.ts';
import { RALPH_FOLDER } from '../../platform/ralph-folder.ts';
import { treeSignature } from '../../workspace/snapshots/tree-signature.ts';
import { UNFINISHED } from '../../workspace/unfinished.ts';
import { hashOf } from '../installed-stamp.ts';

/** With more files, to look at each takes as long as to ask git. */
const MOST_ENTRIES = 5_000;

/**
 * Stamp of the user's tree and of the files of git that decide which files belong to it: with the same stamp, a snapshot would
 * give the same tree, and git nothing to refuse. Starts no process. Undefined if that is not certain, as for `treeSignature`,
 * or where the environment names another git directory. `root` is absolute.
 */
export function filesStamp(root: string, env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  if (env['GIT_DIR'] !== undefined || env['GIT_WORK_TREE'] !== undefined) return undefined;
  if (env['GIT_INDEX_FILE'] !== undefined) return undefined;
  const files = treeSignature(root, { leftOut: [RALPH_FOLDER], mostEntries: MOST_ENTRIES });
  const git = files === undefined ? undefined : gitStamps(root);
  return git === undefined ? undefined : hashOf([files, git]);
}

/** `HEAD` is not among them: an agent that commits its work has the same files. */
function gitStamps(root: string): string[] | undefined {
  try {
    const [own, common] = gitFolders(root);
    const names = ['index', ...UNFINISHED.map(([file]) => file)];
    const shared = ['config', 'info/exclude'];
    return [...names.map((name) => join(own, name)), ...shared.map((name) => join(common, name))].map(
      stampOf,
    );
  } catch {
    return undefined;
  }
}

/** Empty if there is no such file. */
function stampOf(path: string): string {
  const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (entry === undefined) return '';
  return [entry.size, entry.mode, entry.ino, entry.mtimeNs, entry.ctimeNs].join(' ');
}
