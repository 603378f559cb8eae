import { boundText } from '../../platform/text/bounded-text.ts';

/** Neighbouring lines that became others. Lines are without their `\n`. */
export interface LineChange {
  /** 1-based line in the old text; where nothing was removed, the line before which lines were added. */
  readonly oldLine: number;
  /** 1-based line in the new text. */
  readonly newLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What replaces the old text from `start` to `end`, which are indices of UTF-16 code units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ActionChanges {
  readonly additions: number;
  readonly deletions: number;
  /** Hunks without lines around them, bounded. */
  readonly diff: string;
}

const DIFF_CHARS = 7900;

/** The changed lines that splices make. They are in order and do not overlap. */
export function changesOf(text: string, splices: readonly Splice[]): LineChange[] {
  const changes: LineChange[] = [];
  let line = 1;
  let counted = 0;
  let shift = 0;
  for (const { start, end, parts } of byLines(text, splices)) {
    line += countBreaks(text, counted, start);
    counted = start;
    const change = narrow(text.slice(start, end), parts, line, shift);
    if (change.removed.length + change.added.length > 0) changes.push(change);
    shift += change.added.length - change.removed.length;
  }
  return changes;
}

/** One change from the first line that differs to the last. */
export function changeOfWhole(before: string, after: string): LineChange[] {
  return changesOf(before, [{ start: 0, end: before.length, text: after }]);
}

/** The changes as an action keeps them. */
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
  /** The new text of the range, in pieces. */
  parts: string;
}

/** Splices widened to whole lines; those of one line become one. */
function byLines(text: string, splices: readonly Splice[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const { start, end, text: added } of splices) {
    const last = ranges.at(-1);
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const from = start === 0 ? 0 : lineStart;
    const to = lineEnd(text, end);
    if (last !== undefined && from < last.end) {
      const kept = last.parts.slice(0, last.parts.length - (last.end - start));
      last.parts = kept + added + text.slice(end, to);
      last.end = to;
    } else {
      ranges.push({ start: from, end: to, parts: text.slice(from, start) + added + text.slice(end, to) });
    }
  }
  return ranges;
}

function lineEnd(text: string, index: number): number {
  const found = text.indexOf('\n', index);
  return found === -1 ? text.length : found + 1;
}

function narrow(before: string, after: string, line: number, shift: number): LineChange {
  const [old, now] = [toLines(before), toLines(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const trim = (lines: readonly string[]): string[] =>
    lines.slice(head, lines.length - tail).map((one) => one.replace(/\n$/, ''));
  return { oldLine: line + head, newLine: line + head + shift, removed: trim(old), added: trim(now) };
}

function toLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
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
