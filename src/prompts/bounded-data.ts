import { boundText } from '../platform/text/bounded-text.ts';
import { printable } from '../platform/text/printable.ts';
import { fenceFor } from './fence.ts';

/** Untrusted text of several lines, with a fence that the text cannot close. */
export interface FencedText {
  /** Backticks: one more than the longest run in the text, at least three. */
  readonly fence: string;
  /** Empty: nothing to show. */
  readonly text: string;
}

/** Runs of backticks that are replaced, because the fence around them would be as long as the text. */
const LONG_RUN = /`{16,}/g;
/** Bytes added per item for the words that the template puts around it. */
const MARGIN = 20;

/** Fences a text of several lines, cut in the middle to at most `limit` bytes. */
export function fenced(text: string, limit: number): FencedText {
  const trimmed = printable(text).replace(/^\n+/, '').trimEnd();
  const body = boundBytes(
    trimmed.replace(LONG_RUN, (run) => `[… ${run.length} backticks …]`),
    limit,
  );
  return { fence: fenceFor(body), text: body };
}

/** Collapses white space, so that the text is one line of at most `limit` bytes. */
export function line(text: string, limit: number): string {
  return flat(boundBytes(flat(printable(text)), limit));
}

/** Renders a value as one line of at most `limit` bytes; white space is kept, line breaks are written `\n`. */
export function valueLine(text: string, limit: number): string {
  return boundBytes(printable(text).replaceAll('\n', '\\n'), limit).replaceAll('\n', ' ');
}

/** Shows the first items that fit into `limit` bytes, at least one; `cut` counts the items left out. */
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

/** The limit per item at which the sizes sum to at most `total`; items below the limit stay whole. */
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

/** Bytes of a value as JSON, an estimate of its bytes in a prompt. */
export function byteSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Head and tail of a text in at most `limit` UTF-8 bytes, including the line that marks the cut. */
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
