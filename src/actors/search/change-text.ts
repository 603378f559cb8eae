import type { Action } from '../../schema/generated.ts';
import { applyEdits, type Candidate } from './edit.ts';

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

/** Characters that a candidate takes away and puts in. */
export function sizeOf({ edits }: Candidate): number {
  return edits.reduce((sum, { start, end, replacement }) => sum + (end - start) + replacement.length, 0);
}
