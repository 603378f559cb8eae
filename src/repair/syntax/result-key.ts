import { type TextEdit, editedRange } from './edit.ts';

/** Key that is equal exactly for edits of a text with equal results; undefined for edits that change nothing. */
export function resultKey(text: string, edits: readonly TextEdit[]): string | undefined {
  const [from, to] = [edits[0]!.start, edits.at(-1)!.end];
  const old = text.slice(from, to);
  const changed = editedRange(text, edits, { start: from, end: to });
  if (old === changed) return undefined;
  const head = sharedStart(old, changed);
  const tail = sharedEnd(old.slice(head), changed.slice(head));
  const removed = old.slice(head, old.length - tail);
  const added = changed.slice(head, changed.length - tail);
  // A pure insertion or deletion may have the same result at several offsets: normalise to the leftmost.
  const shift =
    removed === '' ? slide(text, from + head, added) : added === '' ? slide(text, from + head, removed) : 0;
  const turn = (piece: string): string => rotate(piece, shift);
  return `${from + head - shift}\0${turn(removed)}\0${turn(added)}`;
}

/** Number of units by which an inserted or deleted piece can move to the left with the same result. */
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
