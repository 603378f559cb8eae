import { join } from 'node:path';
import { gitOutput } from '../../platform/git/git-output.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';

/** Text that `git archive` replaces in files with the attribute `export-subst`. */
const PLACEHOLDER = /\$Format:[^$\n]*\$/;

/** A sentence on a source of which an archive has another text than the checkout; undefined if there is none. */
export async function findSubstitutedText({
  request: { root },
  sources,
  baseText,
}: ChangedSources): Promise<string | undefined> {
  for (const source of sources) {
    const [found] = PLACEHOLDER.exec(textOf(join(root, source))) ?? [];
    if (found === undefined || PLACEHOLDER.test((await baseText(source)) ?? '')) continue;
    const args = ['check-attr', '-z', 'export-subst', '--', source];
    if (/\0set\0/.test(await gitOutput(args, root)))
      return `${source} contains ${found.slice(0, 80)}, which \`git archive\` replaces (export-subst of .gitattributes), so that users of an archive get another text than the tests had. --allow ${source} permits it.`;
  }
  return undefined;
}
