import { LIKENESSES, normalise, occurrencesOf, type Likeness, type NormalText } from './normal-text.ts';
import type { Splice } from './line-changes.ts';

/** Text to replace, and what replaces it. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** The one place where an edit's old text is. Indices are those of the original text. */
export interface Located {
  readonly kind: 'found';
  readonly likeness: Likeness;
  /** All of what matched. */
  readonly matched: { readonly start: number; readonly end: number };
  /** The lines of it that change; equal first and last lines of old and new text stay as the file has them. */
  readonly splice: Splice;
}

export type Location =
  Located | { readonly kind: 'missing' } | { readonly kind: 'several'; readonly starts: readonly number[] };

/** Gives the normal forms of one text, each made once. */
export function normalForms(text: string): (likeness: Likeness) => NormalText {
  const made = new Map<Likeness, NormalText>();
  return (likeness) => {
    const form = made.get(likeness) ?? normalise(text, likeness);
    made.set(likeness, form);
    return form;
  };
}

/** Finds an edit, whose line ends are LF, with the least likeness that finds anything. */
export function locateEdit(text: string, formOf: (likeness: Likeness) => NormalText, edit: Edit): Location {
  const location = search(text, formOf, edit);
  if (location.kind !== 'missing' || text.endsWith('\n') || !edit.oldText.endsWith('\n')) return location;
  // The model ended the last line of a file that does not.
  const [oldText, newText] = [edit.oldText.slice(0, -1), edit.newText.replace(/\n$/, '')];
  const atEnd = search(text, formOf, { oldText, newText });
  return atEnd.kind === 'found' && atEnd.matched.end === text.length ? atEnd : location;
}

function search(text: string, formOf: (likeness: Likeness) => NormalText, edit: Edit): Location {
  for (const likeness of LIKENESSES) {
    const whole = formOf(likeness);
    const starts = occurrencesOf(normalise(edit.oldText, likeness), whole);
    if (starts.length > 1) return { kind: 'several', starts: starts.map((start) => whole.origin[start]!) };
    if (starts.length === 1) return place(text, whole, likeness, starts[0]!, edit);
  }
  return { kind: 'missing' };
}

function place(text: string, whole: NormalText, likeness: Likeness, from: number, edit: Edit): Located {
  const { head, old, tail, now } = changedLines(edit);
  const lengthOf = (part: string): number => normalise(part, likeness).text.length;
  const to = from + lengthOf(edit.oldText);
  const matched = { start: startOf(text, whole, from), end: endOf(text, whole, to, likeness) };
  const first = from + lengthOf(head);
  const last = to - lengthOf(tail);
  const behind = (index: number): number => whole.origin[index - 1]! + 1;
  const start = first === from ? matched.start : behind(first);
  const end = old === '' ? start : last === to ? matched.end : behind(last);
  return {
    kind: 'found',
    likeness,
    matched,
    splice: { start, end, text: withLineEndsAt(text, matched.start, now) },
  };
}

/** Old and new text between the lines that both begin and end with. */
function changedLines({ oldText, newText }: Edit): { head: string; old: string; tail: string; now: string } {
  const [old, now] = [oldText, newText].map((text) => text.split(/(?<=\n)/)) as [string[], string[]];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head] && old[head]!.endsWith('\n')) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middle = (lines: readonly string[]): string => lines.slice(head, lines.length - tail).join('');
  return {
    head: old.slice(0, head).join(''),
    old: middle(old),
    tail: old.slice(old.length - tail).join(''),
    now: middle(now),
  };
}

/** A match that begins with a line end takes all of a CRLF. */
function startOf(text: string, whole: NormalText, from: number): number {
  const start = whole.origin[from]!;
  return text[start] === '\n' && text[start - 1] === '\r' ? start - 1 : start;
}

/** A match up to the end of a line takes the white space that was looked past. */
function endOf(text: string, whole: NormalText, to: number, likeness: Likeness): number {
  const end = whole.origin[to - 1]! + 1;
  const isLineEnd = to === whole.text.length || whole.text[to] === '\n';
  if (likeness === 'line ends' || !isLineEnd || whole.text[to - 1] === '\n') return end;
  const next = to === whole.text.length ? text.length : whole.origin[to]!;
  return next > end && text[next - 1] === '\r' && text[next] === '\n' ? next - 1 : next;
}

/** New text with the line ends that the text has there: of the line at `index`, or else of the one before. */
function withLineEndsAt(text: string, index: number, added: string): string {
  const after = text.indexOf('\n', index);
  const near = after === -1 ? text.lastIndexOf('\n', index) : after;
  return near > 0 && text[near - 1] === '\r' ? added.replaceAll('\n', '\r\n') : added;
}
