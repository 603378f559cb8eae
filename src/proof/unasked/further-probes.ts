import { leavesIn, type Coded } from '../tested-inputs/neighbours.ts';

/** Names that every object has, and a text without any letter. */
const PLAIN_TEXTS = ['', 'constructor', '__proto__'];
/** A text that is cut in more places would take many calls. */
const MOST_CUTS = 16;
const MAX_OBJECTS = 3;
/** A run of one character that a pattern has no reason to try again and again. */
const RUN = 40;
/** Two of them make less than a list that no memory holds. */
const LARGE_NUMBERS = [199_999, 200_000];

/** Values of the tested types that code without a thought for them stumbles over: nothing in it, or a name of every object. */
export function plainOf(args: string): string[] {
  const { a = [] } = JSON.parse(args) as { a?: Coded[] };
  const empty = a.flatMap((value, at) =>
    (value as { a?: unknown[] } | null)?.a === undefined ? [] : [withItem(a, at, { a: [] })],
  );
  const leaves = leavesIn(args, 3).flatMap(({ value, withOther }) => {
    if (typeof value === 'number') return [withOther(0)];
    const words = PLAIN_TEXTS.map((word) => value.replace(/[\p{L}\p{N}]+/u, word));
    return [...PLAIN_TEXTS, ...words].map(withOther);
  });
  return [...empty, ...leaves];
}

/** Texts that end too early. */
export function cutOf(args: string): string[] {
  return leavesIn(args, 2).flatMap(({ value, withOther }) => {
    if (typeof value !== 'string' || value.length < 2 || value.length > 200) return [];
    const step = Math.max(1, Math.ceil((value.length - 1) / MOST_CUTS));
    const cuts = Array.from({ length: value.length - 1 }, (_, at) => at + 1).filter((at) => at % step === 0);
    return cuts.map((at) => withOther(value.slice(0, at)));
  });
}

/** Objects with odd values under keys that another argument has, such as the shape that they are checked against. */
export function keyedOf(args: string): string[] {
  const { a = [] } = JSON.parse(args) as { a?: Coded[] };
  const keysOf = (value: Coded | undefined): string[] =>
    ((value as { o?: [string, unknown][] } | null)?.o ?? []).map(([key]) => key);
  return a.flatMap((value, at) => {
    const own = (value as { o?: [string, unknown][] } | null)?.o;
    if (own === undefined) return [];
    const others = a.flatMap((other, place) => (place === at ? [] : keysOf(other)));
    const missing = others.filter((key) => !keysOf(value).includes(key)).slice(0, MAX_OBJECTS);
    return missing.flatMap((key) =>
      [null, 'a text', 42, true].map((odd) =>
        withItem(a, at, { ...(value as object), o: [...own, [key, odd]] }),
      ),
    );
  });
}

function withItem(list: readonly Coded[], at: number, value: Coded): string {
  return JSON.stringify({ a: list.map((it, place) => (place === at ? value : it)) });
}

/** Texts with a long run of a character that stands between words. */
export function runsOf(args: string): string[] {
  return leavesIn(args, 1).flatMap(({ value, withOther }) => {
    if (typeof value !== 'string') return [];
    const marks = [...new Set([...(value.match(/[^\p{L}\p{N}]/gu) ?? []).slice(0, 3), '-', ' '])];
    return marks.flatMap((mark) => [withOther(`x${mark.repeat(RUN)}x`), withOther(`${mark.repeat(RUN)}x`)]);
  });
}

/** Large numbers in place of all small ones. */
export function largeOf(args: string): string[] {
  const leaves = leavesIn(args, 4);
  const isCount = leaves.every(({ value }) => Number.isInteger(value) && Number(value) > 0);
  if (leaves.length === 0 || !isCount) return [];
  return [LARGE_NUMBERS, LARGE_NUMBERS.toReversed()].map((own) =>
    leaves.reduce((text, _, at) => leavesIn(text, 4)[at]!.withOther(own[at % 2]!), args),
  );
}
