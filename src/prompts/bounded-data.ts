import { boundText } from '../platform/text/bounded-text.ts';
import { printable } from '../platform/text/printable.ts';
import { fenceFor } from './fence.ts';

/** Text from outside that keeps its lines, and a fence that nothing in it can close. */
export interface FencedText {
  /** Backticks, more than the text has in a row. */
  readonly fence: string;
  /** Empty where there is nothing to show. */
  readonly text: string;
}

/** Longer than any fence in use; a fence around it would take the room of the text. */
const LONG_RUN = /`{16,}/g;
/** Of JSON's quotes, keys and commas, which stand for the words that a template puts around an item. */
const MARGIN = 20;

/** A text of several lines, cut in the middle to `limit` bytes where it is longer. */
export function fenced(text: string, limit: number): FencedText {
  const trimmed = printable(text).replace(/^\n+/, '').trimEnd();
  const body = boundBytes(trimmed.replace(LONG_RUN, (run) => `[… ${run.length} backticks …]`), limit);
  return { fence: fenceFor(body), text: body };
}

/** A text as one line of at most `limit` bytes; it cannot begin a line of its own. */
export function line(text: string, limit: number): string {
  return flat(boundBytes(flat(printable(text)), limit));
}

/** A value as one line of at most `limit` bytes; its white space stays, its line breaks are written `\n`. */
export function valueLine(text: string, limit: number): string {
  return boundBytes(printable(text).replaceAll('\n', '\\n'), limit).replaceAll('\n', ' ');
}

/** As many of the first items as fit `limit` bytes, one at least, as they are shown; and how many are left out. */
export function within<T, S>(
  items: readonly T[],
  limit: number,
  show: (item: T) => S,
): { readonly shown: S[]; readonly cut: number } {
  const shown: S[] = [];
  let rest = limit;
  for (const item of items) {
    const next = show(item);
    rest -= byteSize(next) + MARGIN;
    if (rest < 0 && shown.length > 0) break;
    shown.push(next);
  }
  return { shown, cut: items.length - shown.length };
}

/** The most that each of several sizes may have so that all together stay within `total`; small ones are whole. */
export function fairShare(sizes: readonly number[], total: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let rest = total;
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(rest / (ascending.length - at));
    if (size > share) return share;
    rest -= size;
  }
  return total;
}

/** Bytes that a value takes as JSON: about what it takes in a prompt. */
export function byteSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Head and tail of a text in at most `limit` UTF-8 bytes, the line that says what was cut included. */
export function boundBytes(text: string, limit: number): string {
  let units = limit;
  let bounded = boundText(text, units).toWellFormed();
  for (let size = Buffer.byteLength(bounded); size > limit && units > 2; size = Buffer.byteLength(bounded)) {
    units = Math.max(2, Math.floor(Math.min(units - 1, (units * limit) / size)));
    bounded = boundText(text, units).toWellFormed();
  }
  return bounded;
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
