import type { Action } from '../../schema/generated.ts';
import { applyEdits, type Candidate } from '../syntax/edit.ts';

const MAX_DIFF = 4000;

/** The lines that a candidate changes, before and after, as a diff without context, with their counts. */
export function changesOf(text: string, { edits }: Candidate): NonNullable<Action['changes']> {
  const start = text.lastIndexOf('\n', edits[0]!.start - 1) + 1;
  const newline = text.indexOf('\n', edits.at(-1)!.end);
  const end = newline === -1 ? text.length : newline;
  const local = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const before = text.slice(start, end).split('\n');
  const after = applyEdits(text.slice(start, end), local).split('\n');
  const diff = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)].join('\n');
  return { additions: after.length, deletions: before.length, diff: diff.slice(0, MAX_DIFF) };
}

const CONTEXT_LINES = 3;

/** A candidate as a unified diff of its file's text, in one piece. */
export function patchOf(text: string, { edits }: Candidate): string {
  const { file } = edits[0]!;
  const lines = text.split('\n');
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const first = Math.max(0, lineAt(edits[0]!.start) - CONTEXT_LINES);
  const isEnded = text.endsWith('\n');
  const end = Math.min(lines.length - (isEnded ? 1 : 0), lineAt(edits.at(-1)!.end) + 1 + CONTEXT_LINES);
  const changed = applyEdits(text, edits).split('\n');
  const [before, after] = [
    lines.slice(first, end),
    changed.slice(first, end + changed.length - lines.length),
  ];
  const same = (a: readonly string[], b: readonly string[]): number => {
    const length = a.findIndex((line, index) => line !== b[index]);
    return length === -1 ? a.length : length;
  };
  const head = same(before, after);
  const tail = same(before.slice(head).reverse(), after.slice(head).reverse());
  const bodyEnd = before.length - tail;
  // Marked where the last line of the text has no end: the same on both sides, for no edit reaches behind it.
  const mark = !isEnded && end === lines.length ? ['\\ No newline at end of file'] : [];
  const changedMark = tail === 0 ? mark : [];
  const body = [
    ...before.slice(0, head).map((line) => ` ${line}`),
    ...before.slice(head, bodyEnd).map((line) => `-${line}`),
    ...changedMark,
    ...after.slice(head, after.length - tail).map((line) => `+${line}`),
    ...changedMark,
    ...before.slice(bodyEnd).map((line) => ` ${line}`),
    ...(tail === 0 ? [] : mark),
  ];
  const ranges = `-${first + 1},${before.length} +${first + 1},${after.length}`;
  return [`--- a/${file}`, `+++ b/${file}`, `@@ ${ranges} @@`, ...body, ''].join('\n');
}

/** Characters that a candidate takes away and puts in. */
export function sizeOf({ edits }: Candidate): number {
  return edits.reduce((sum, { start, end, replacement }) => sum + (end - start) + replacement.length, 0);
}
