import { createTwoFilesPatch, diffLines } from 'diff';

/** Lines that one text has more and less than another. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** Above so many edited lines the whole text counts as replaced: finding the shortest diff would take seconds. */
const MAX_EDITED_LINES = 1_500;

/** Added and deleted lines between two texts, as the shortest line diff counts them. */
export function countChangedLines(before: string, after: string): LineCounts {
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITED_LINES });
  if (changes === undefined) return { additions: countLines(after), deletions: countLines(before) };
  const sum = (kind: 'added' | 'removed'): number =>
    changes.reduce((total, change) => total + (change[kind] ? change.count : 0), 0);
  return { additions: sum('added'), deletions: sum('removed') };
}

/** Unified diff of one file with three lines of context and `a/`, `b/` names; empty for equal texts. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, '', '', { context: 3 });
  return patch.replace(/^=+\n/, '').replace(/^(---|\+\+\+) (.*?)\t$/gm, '$1 $2');
}

/** Lines of a text; a line end at the very end begins no further line. */
export function countLines(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
