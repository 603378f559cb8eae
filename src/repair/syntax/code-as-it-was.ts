import { linesInTree } from '../../platform/files/lines-in-tree.ts';
import { changedFiles, parseHunks, withoutEdits } from '../../platform/text/patch-hunks.ts';
import { withValues } from './constant-values.ts';
import { isSameProgram } from './same-program.ts';

/** Files without code. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS)$/i;
const PARSED = /\.[cm]?[jt]sx?$/;

/**
 * True for a patch that changes nothing but texts, comments, layout, types or the way in which a number is written. `root` is the
 * absolute path of the tree after it; without one only the lines of the patch are read.
 */
export function isCodeAsItWas(patch: string, root: string | undefined): boolean {
  return changedFiles(patch).every((file) => {
    if (PROSE.test(file)) return true;
    const hunks = parseHunks(patch).filter((hunk) => hunk.file === file);
    if (hunks.length === 0 || hunks.some(({ isNewFile, isDeletedFile }) => isNewFile || isDeletedFile))
      return false;
    const after = root === undefined ? undefined : linesInTree(root, file);
    const before = after === undefined ? undefined : withoutEdits(after, hunks);
    if (before === undefined || !PARSED.test(file))
      return hunks.every(({ removed, added }) =>
        [...removed, ...added].every((line) => /^\s*(?:(?:#|\/\/)\s.*)?$/.test(line)),
      );
    return isSameProgram(file, withValues(before.join('\n')), withValues(after!.join('\n')));
  });
}
