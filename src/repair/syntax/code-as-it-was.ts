import { linesInTree } from '../../platform/files/lines-in-tree.ts';
import { changedFiles, parseHunks, withoutEdits, type Hunk } from '../../platform/text/patch-hunks.ts';
import { withValues } from './constant-values.ts';
import { isSameCode } from './same-program.ts';

/** Files that people read. Other texts, such as a list of words, may be data of the product. */
const PROSE = /\.(?:md|markdown)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS)$/i;
const PARSED = /\.[cm]?[jt]sx?$/;

/** Languages with comments to the end of the line, whose texts in single quotes end in their line; and the mark of a comment. */
const COMMENT_MARKS: readonly (readonly [RegExp, string])[] = [
  [/\.py$/, '#'],
  [/\.(?:go|rs|java|kts?|c|cc|cpp|h|hpp|cs|swift|scala|dart)$/, '//'],
];

/** What gives a line that looks empty or like a comment a meaning: texts of several lines, lines that go on, expected output. */
const LONG = /"""|'''|`|<<|\br#*"|@"|\\\r?$|\boutput:|\bimport "C"|^[^"\n]*(?:"[^"\n]*"[^"\n]*)*"[^"\n]*$/im;

/** Comments that tools read, such as `# type: ignore`, `// +build` or `# -*- coding: utf-8 -*-`, and all that look like one. */
const PRAGMA = /[@+#!]|-\*-|\w:|\b(?:noqa|nolint|pragma|pylint)\b/i;

/**
 * True for a patch that is known to change nothing but prose, layout, comments that no tool reads, or the way in which a number
 * is written. `root` is the absolute path of the tree after it; without one only prose is known.
 */
export function isCodeAsItWas(patch: string, root: string | undefined): boolean {
  return changedFiles(patch).every((file) => {
    if (PROSE.test(file)) return true;
    const hunks = parseHunks(patch).filter((hunk) => hunk.file === file);
    if (hunks.length === 0 || hunks.some(({ isNewFile, isDeletedFile }) => isNewFile || isDeletedFile))
      return false;
    const after = root === undefined ? undefined : linesInTree(root, file);
    const before = after === undefined ? undefined : withoutEdits(after, hunks);
    if (before === undefined) return false;
    const [then, now] = [before.join('\n'), after!.join('\n')];
    return PARSED.test(file)
      ? isSameCode(file, withValues(then), withValues(now))
      : ![then, now].some((text) => LONG.test(text)) && changesRemarks(file, hunks);
  });
}

/** True for changes of empty lines and of comments of their own, in a language that has them. */
function changesRemarks(file: string, hunks: readonly Hunk[]): boolean {
  const [, mark] = COMMENT_MARKS.find(([endings]) => endings.test(file)) ?? [];
  if (mark === undefined) return false;
  return hunks.every(({ removed, added }) =>
    [...removed, ...added].every((line) => {
      const text = line.trim();
      return text === '' || (text.startsWith(`${mark} `) && !PRAGMA.test(text.slice(mark.length)));
    }),
  );
}
