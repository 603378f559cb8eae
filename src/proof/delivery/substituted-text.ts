import { join } from 'node:path';
import picomatch from 'picomatch';
import { gitOutput } from '../../platform/git/git-output.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';

/** Text that `git archive` replaces in files with the attribute `export-subst`. */
const PLACEHOLDER = /\$Format:[^$\n]*\$/;

/**
 * A sentence on a source of which an archive, or a checkout of the user, has another text than the tests had; undefined if
 * there is none.
 */
export async function findSubstitutedText({
  request: { root },
  sources,
  baseText,
}: ChangedSources): Promise<string | undefined> {
  for (const source of sources) {
    const encoding = encodingOf(source, root);
    if (encoding !== undefined)
      return `${source} is written in ${encoding} where it is checked out (working-tree-encoding of .gitattributes), and Node reads UTF-8. --allow ${source} permits it.`;
    const [found] = PLACEHOLDER.exec(textOf(join(root, source))) ?? [];
    if (found === undefined || PLACEHOLDER.test((await baseText(source)) ?? '')) continue;
    const args = ['check-attr', '-z', 'export-subst', '--', source];
    if (/\0set\0/.test(await gitOutput(args, root)))
      return `${source} contains ${found.slice(0, 80)}, which \`git archive\` replaces (export-subst of .gitattributes), so that users of an archive get another text than the tests had. --allow ${source} permits it.`;
  }
  return undefined;
}

/** `pattern … working-tree-encoding=UTF-16` of a .gitattributes. */
const ENCODED = /^[ \t]*([^\s#]\S*)[ \t].*\bworking-tree-encoding=(?!utf-?8\b)(\S+)/gim;

/** Another encoding than UTF-8 that git writes a file in. The checkout itself has none, so that git cannot be asked. */
function encodingOf(source: string, root: string): string | undefined {
  const parts = source.split('/');
  for (const at of parts.keys()) {
    const inner = parts.slice(at).join('/');
    const text = textOf(join(root, ...parts.slice(0, at), '.gitattributes'));
    for (const [, pattern, encoding] of text.matchAll(ENCODED)) {
      const glob = pattern!.replace(/^\//, '');
      const options = { dot: true, basename: !pattern!.includes('/') };
      if (picomatch.isMatch(inner, glob, options)) return encoding;
    }
  }
  return undefined;
}
