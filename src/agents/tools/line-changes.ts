import { structuredPatch } from 'diff';
import { boundText } from '../../platform/text/bounded-text.ts';
import { countCommonLines, splitLines } from './common-lines.ts';

/** Consecutive lines that were replaced, added or removed. Lines are without their `\n`. */
export interface LineChange {
  /** 1-based line in the old text; if no line was removed, the line before which lines were added. */
  readonly oldLine: number;
  /** 1-based line in the new text; if no line was added, the line before which lines were removed. */
  readonly newLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** A replacement of the text from `start` to `end`, which are indices of UTF-16 code units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The changes of one file in the form that an action stores. */
export interface ActionChanges {
  readonly additions: number;
  readonly deletions: number;
  /** Hunks without context lines, at most 7,900 characters. */
  readonly diff: string;
}

const DIFF_CHARS = 7900;
/** Above so many edited lines, one change covers everything between the first and the last difference. */
const MAX_EDITED_LINES = 1_500;

/** The line changes made by splices, which are in order and do not overlap. */
export function changesOf(text: string, splices: readonly Splice[]): LineChange[] {
  const changes: LineChange[] = [];
  let line = 1;
  let counted = 0;
  let shift = 0;
  for (const { start, end, replacement } of byLines(text, splices)) {
    line += countBreaks(text, counted, start);
    counted = start;
    const change = narrow(text.slice(start, end), replacement, line, shift);
    if (change.removed.length + change.added.length > 0) changes.push(change);
    shift += change.added.length - change.removed.length;
  }
  return changes;
}

/** The line changes between two texts, by the shortest line diff. */
export function changesBetween(before: string, after: string): LineChange[] {
  const patch = structuredPatch('', '', before, after, '', '', {
    context: 0,
    maxEditLength: MAX_EDITED_LINES,
  });
  if (patch === undefined) return changesOf(before, [{ start: 0, end: before.length, text: after }]);
  return patch.hunks.map(({ oldStart, newStart, lines }) => {
    const marked = (mark: string): string[] =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
    return { oldLine: oldStart, newLine: newStart, removed: marked('-'), added: marked('+') };
  });
}

/** The number of changed lines and the diff, for an action. */
export function toActionChanges(changes: readonly LineChange[]): ActionChanges {
  const sum = (count: (change: LineChange) => number): number =>
    changes.reduce((total, change) => total + count(change), 0);
  return {
    additions: sum(({ added }) => added.length),
    deletions: sum(({ removed }) => removed.length),
    diff: boundText(changes.map(toHunk).join('\n'), DIFF_CHARS),
  };
}

interface LineRange {
  /** Start of a line. */
  readonly start: number;
  /** End of a line, its `\n` included. */
  end: number;
  /** The new text of the range. */
  replacement: string;
}

/** Widens splices to whole lines; splices of the same line are joined. */
function byLines(text: string, splices: readonly Splice[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const { start, end, text: added } of splices) {
    const last = ranges.at(-1);
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const from = start === 0 ? 0 : lineStart;
    const to = lineEnd(text, end);
    if (last !== undefined && from < last.end) {
      const kept = last.replacement.slice(0, last.replacement.length - (last.end - start));
      last.replacement = kept + added + text.slice(end, to);
      last.end = to;
    } else {
      ranges.push({
        start: from,
        end: to,
        replacement: text.slice(from, start) + added + text.slice(end, to),
      });
    }
  }
  return ranges;
}

function lineEnd(text: string, index: number): number {
  const found = text.indexOf('\n', index);
  return found === -1 ? text.length : found + 1;
}

function narrow(before: string, after: string, line: number, shift: number): LineChange {
  const [old, now] = [splitLines(before), splitLines(after)];
  const { head, tail } = countCommonLines(old, now);
  const trim = (lines: readonly string[]): string[] =>
    lines.slice(head, lines.length - tail).map((one) => one.replace(/\n$/, ''));
  return { oldLine: line + head, newLine: line + head + shift, removed: trim(old), added: trim(now) };
}

function countBreaks(text: string, from: number, to: number): number {
  let breaks = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) breaks++;
  return breaks;
}

function toHunk({ oldLine, newLine, removed, added }: LineChange): string {
  const range = (line: number, count: number): string => `${count === 0 ? line - 1 : line},${count}`;
  return [
    `@@ -${range(oldLine, removed.length)} +${range(newLine, added.length)} @@`,
    ...removed.map((one) => `-${one}`),
    ...added.map((one) => `+${one}`),
  ].join('\n');
}
