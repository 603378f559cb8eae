import type { TextEdit } from './operator.ts';
import { editedRange } from './signature.ts';

/** A text that is the same for edits with the same result and only for them; absent for those that change nothing. */
export function resultKey(text: string, edits: readonly TextEdit[]): string | undefined {
  const [from, to] = [edits[0]!.start, edits.at(-1)!.end];
  const old = text.slice(from, to);
  const now = editedRange(text, edits, { start: from, end: to });
  if (old === now) return undefined;
  const head = sharedStart(old, now);
  const tail = sharedEnd(old.slice(head), now.slice(head));
  const gone = old.slice(head, old.length - tail);
  const come = now.slice(head, now.length - tail);
  // What only comes or only goes may be cut at several places for the same result: the leftmost stands for all.
  const shift =
    gone === '' ? slide(text, from + head, come) : come === '' ? slide(text, from + head, gone) : 0;
  const turn = (piece: string): string => rotate(piece, shift);
  return `${from + head - shift}\0${turn(gone)}\0${turn(come)}`;
}

/** How far to the left a piece can be cut for the same result. */
function slide(text: string, at: number, piece: string): number {
  let shift = 0;
  while (shift < at && text[at - 1 - shift] === piece[mod(piece.length - 1 - shift, piece.length)]) shift++;
  return shift;
}

function rotate(piece: string, shift: number): string {
  const by = mod(shift, piece.length);
  return by === 0 ? piece : piece.slice(-by) + piece.slice(0, -by);
}

function mod(value: number, base: number): number {
  return base === 0 ? 0 : ((value % base) + base) % base;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function sharedEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length])
    length++;
  return length;
}
