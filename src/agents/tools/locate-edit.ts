import {
  TOLERANCES,
  normalize,
  findOccurrences,
  type Tolerance,
  type NormalizedText,
} from './normalized-text.ts';
import { countCommonLines, splitLines } from './common-lines.ts';
import type { Splice } from './line-changes.ts';

/** A text to replace and its replacement. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** The only occurrence of an edit's old text. Indices refer to the original text. */
export interface Located {
  readonly kind: 'found';
  readonly tolerance: Tolerance;
  /** The whole match. */
  readonly matched: { readonly start: number; readonly end: number };
  /** The lines of the match that change; first and last lines equal in old and new text keep the file's bytes. */
  readonly splice: Splice;
}

export type Location =
  Located | { readonly kind: 'missing' } | { readonly kind: 'several'; readonly starts: readonly number[] };

/** Returns a function that normalizes the text, once for each tolerance. */
export function normalizedForms(text: string): (tolerance: Tolerance) => NormalizedText {
  const made = new Map<Tolerance, NormalizedText>();
  return (tolerance) => {
    const form = made.get(tolerance) ?? normalize(text, tolerance);
    made.set(tolerance, form);
    return form;
  };
}

/** Finds the old text of an edit, whose line ends are LF, with the strictest tolerance that matches. */
export function locateEdit(
  text: string,
  formOf: (tolerance: Tolerance) => NormalizedText,
  edit: Edit,
): Location {
  const location = search(text, formOf, edit);
  if (location.kind !== 'missing' || text.endsWith('\n') || !edit.oldText.endsWith('\n')) return location;
  // The file's last line has no line end, but the model's old text has one.
  const [oldText, newText] = [edit.oldText.slice(0, -1), edit.newText.replace(/\n$/, '')];
  const atEnd = search(text, formOf, { oldText, newText });
  return atEnd.kind === 'found' && atEnd.matched.end === text.length ? atEnd : location;
}

function search(text: string, formOf: (tolerance: Tolerance) => NormalizedText, edit: Edit): Location {
  for (const tolerance of TOLERANCES) {
    const whole = formOf(tolerance);
    const starts = findOccurrences(normalize(edit.oldText, tolerance), whole);
    if (starts.length > 1) return { kind: 'several', starts: starts.map((start) => whole.origin[start]!) };
    if (starts.length === 1) return place(text, whole, tolerance, starts[0]!, edit);
  }
  return { kind: 'missing' };
}

function place(text: string, whole: NormalizedText, tolerance: Tolerance, from: number, edit: Edit): Located {
  const { head, old, tail, now } = changedLines(edit);
  const lengthOf = (part: string): number => normalize(part, tolerance).text.length;
  const to = from + lengthOf(edit.oldText);
  const matched = { start: startOf(text, whole, from), end: endOf(text, whole, to, tolerance) };
  const first = from + lengthOf(head);
  const last = to - lengthOf(tail);
  const behind = (index: number): number => whole.origin[index - 1]! + 1;
  const start = first === from ? matched.start : behind(first);
  const end = old === '' ? start : last === to ? matched.end : behind(last);
  return {
    kind: 'found',
    tolerance,
    matched,
    splice: { start, end, text: withLineEndsAt(text, matched.start, now) },
  };
}

/** Splits old and new text into equal first lines, the lines that differ, and equal last lines. */
function changedLines({ oldText, newText }: Edit): { head: string; old: string; tail: string; now: string } {
  const [old, now] = [splitLines(oldText), splitLines(newText)];
  const { head, tail } = countCommonLines(old, now);
  const middle = (lines: readonly string[]): string => lines.slice(head, lines.length - tail).join('');
  return {
    head: old.slice(0, head).join(''),
    old: middle(old),
    tail: old.slice(old.length - tail).join(''),
    now: middle(now),
  };
}

/** The start of a match; a match that begins with a line end includes the CR of a CRLF. */
function startOf(text: string, whole: NormalizedText, from: number): number {
  const start = whole.origin[from]!;
  return text[start] === '\n' && text[start - 1] === '\r' ? start - 1 : start;
}

/** The end of a match; a match up to the end of a line includes the ignored trailing white space. */
function endOf(text: string, whole: NormalizedText, to: number, tolerance: Tolerance): number {
  const end = whole.origin[to - 1]! + 1;
  const isLineEnd = to === whole.text.length || whole.text[to] === '\n';
  if (tolerance === 'line ends' || !isLineEnd || whole.text[to - 1] === '\n') return end;
  const next = to === whole.text.length ? text.length : whole.origin[to]!;
  return next > end && text[next - 1] === '\r' && text[next] === '\n' ? next - 1 : next;
}

/** The new text with the line ends of the line at `index`, or of the line before if that line has none. */
function withLineEndsAt(text: string, index: number, added: string): string {
  const after = text.indexOf('\n', index);
  const near = after === -1 ? text.lastIndexOf('\n', index) : after;
  return near > 0 && text[near - 1] === '\r' ? added.replaceAll('\n', '\r\n') : added;
}
