import type { Span } from './spans.ts';

/** A longer secret is found by this many of its first bytes. */
const RECOGNISED = 12;

/** A byte of a dump: where it is written, and where the column beside them shows it, if there is one. */
export interface DumpedByte {
  readonly value: number;
  readonly at: number;
  /** Characters that it takes there. */
  readonly length: number;
  /** Where its line begins. */
  readonly line: number;
  shownAt: number | undefined;
}

/** Where secrets are in the bytes of a dump: in each line what is written of them as a whole, and the characters beside it. */
export function findInBytes(bytes: readonly DumpedByte[], secrets: readonly Buffer[]): Span[] {
  const values = Buffer.from(bytes.map(({ value }) => value));
  return secrets.flatMap((secret) => occurrencesOf(secret, values).flatMap((part) => spansOf(bytes, part)));
}

interface Part {
  readonly start: number;
  readonly end: number;
}

function occurrencesOf(secret: Buffer, bytes: Buffer): Part[] {
  const found: Part[] = [];
  const head = secret.subarray(0, RECOGNISED);
  for (let start = bytes.indexOf(head); start !== -1; start = bytes.indexOf(head, start + 1)) {
    let length = head.length;
    while (length < secret.length && bytes[start + length] === secret[length]) length += 1;
    found.push({ start, end: start + length });
  }
  return found;
}

function spansOf(bytes: readonly DumpedByte[], { start, end }: Part): Span[] {
  const lines = Map.groupBy(bytes.slice(start, end), ({ line }) => line);
  return [...lines.values()].flatMap((found) => {
    const starts = found.map(({ at }) => at);
    const ends = found.map(({ at, length }) => at + length);
    const shown = found.flatMap(({ shownAt }) => shownAt ?? []);
    return [
      { start: Math.min(...starts), end: Math.max(...ends) },
      ...(shown.length === 0 ? [] : [{ start: Math.min(...shown), end: Math.max(...shown) + 1 }]),
    ];
  });
}
