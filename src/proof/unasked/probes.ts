import type { RepeatableCall } from '../replay/repeat-calls.ts';
import { leavesIn, leavesOf, neighboursOf, type Coded } from '../tested-inputs/neighbours.ts';
import { cutOf, keyedOf, largeOf, plainOf, runsOf } from './further-probes.ts';

/** A call that no test makes, with arguments made from those of one. */
export interface Probe {
  readonly call: RepeatableCall;
  /**
   * `near`: a value next to the tested one; `plain`: one of its type that code without a thought for it stumbles over; `invalid`: a value is missing, cut off or
   * of another type; `hostile`: a text has a character in it that other languages read; `long`: a number or text is much larger;
   * `large`: it is so large that only steps in proportion end soon; `huge`: a list has many items.
   */
  readonly kind: 'near' | 'plain' | 'invalid' | 'hostile' | 'long' | 'large' | 'huge';
  /** The hostile characters. */
  readonly mark?: string;
}

/** Characters with a meaning in markup, code, paths and heads of messages. */
export const HOSTILE = ['<', '>', '"', "'", '`', '\\', '\n', '\r\n', '\0', '../'];
/** Characters with a meaning in addresses, numbers and names. */
const OTHER_MARKS = [...'_&%#$;:,.|?=+~()[]{}*@!^/ '];
/** Letters around hostile characters. */
const [BEFORE_MARK, AFTER_MARK] = ['qz', 'zq'] as const;
/** Calls of one function whose arguments are varied in all ways. */
const MAX_VARIED = 5;
const MAX_NEIGHBOURS = 30;
const MAX_ARGUMENTS = 4;
const MAX_LEAVES = 3;
/** A longer text than a field of a form has. */
const LONG_TEXT = 12_000;
/** More items than a call can have arguments. */
const MANY = 200_000;
/** Items that are objects; so many calls in each other are more than a process can hold. */
const MANY_OBJECTS = 20_000;
/** Longer objects would make a job of many megabytes. */
const MAX_ITEM_CHARS = 150;

/** Probes next to the calls of one function, without positions of their own. */
export function probesOf(calls: readonly RepeatableCall[]): Probe[] {
  const copied = calls.filter(({ args }) => !/"[hc]":/.test(args));
  const [first] = copied;
  if (first === undefined) return [];
  const texts = copied.map(({ args }) => args).join('\n');
  const seen = new Set(copied.map(({ args }) => args));
  const some = copied.slice(0, MAX_VARIED);
  const given = (
    kind: Probe['kind'],
    of: (args: string) => string[],
    calls = some,
  ): { args: string; kind: Probe['kind']; mark?: string }[] =>
    calls.flatMap(({ args }) => of(args).map((it) => ({ args: it, kind })));
  const made = [
    ...given('plain', plainOf),
    ...given('near', nearOf),
    ...given('invalid', invalidOf, [first]),
    ...given('invalid', keyedOf),
    ...given('invalid', cutOf),
    ...hostileOf(first.args)
      .filter(({ mark }) => !texts.includes(JSON.stringify(mark).slice(1, -1)))
      .map((it) => ({ ...it, kind: 'hostile' as const })),
    ...given('long', longOf, copied),
    ...given('long', runsOf),
    ...hugeOf(copied).map((args) => ({ args, kind: 'huge' as const })),
    ...given('large', largeOf),
  ];
  return made.flatMap(({ args, ...rest }): Probe[] => {
    if (seen.has(args)) return [];
    seen.add(args);
    return [{ call: { ...first, args, result: '' }, ...rest }];
  });
}

function nearOf(args: string): string[] {
  return neighboursOf(args)
    .slice(0, MAX_NEIGHBOURS)
    .map((it) => it.args);
}

function invalidOf(args: string): string[] {
  const { a = [] } = JSON.parse(args) as { a?: Coded[] };
  const places = a.slice(0, MAX_ARGUMENTS).flatMap((value, at) =>
    [null, { u: 1 }, ...otherTypes(value)].map((other) => ({
      a: a.map((it, place) => (place === at ? other : it)),
    })),
  );
  const inside = leavesIn(args, MAX_LEAVES).flatMap(({ withOther, depth }) =>
    depth > 1 ? [withOther(null)] : [],
  );
  const objects = a.slice(0, MAX_ARGUMENTS).flatMap((value, at) =>
    [UNKNOWN, PROTOTYPE].flatMap((added) => {
      const { o } = (value ?? {}) as { o?: readonly unknown[] };
      const other = { ...(value as object), o: [...(o ?? []), added] };
      return o === undefined ? [] : [{ a: a.map((it, place) => (place === at ? other : it)) }];
    }),
  );
  return [...[...places, ...objects].map((it) => JSON.stringify(it)), ...inside, '{"a":[]}'];
}

/** A property that no code knows, and one by which a careless copy changes every object. */
const UNKNOWN = ['qzUnknown', 1];
const PROTOTYPE = ['__proto__', { o: [['qzPolluted', 1]], p: 0 }];

function otherTypes(value: Coded): Coded[] {
  if (typeof value === 'number') return [-1, { n: 'NaN' }, 'no number', 0, 1.5];
  if (typeof value === 'string') return [42, '', 'a'.repeat(LONG_TEXT)];
  return [42, 'a text'];
}

function hostileOf(args: string): { args: string; mark: string }[] {
  return leavesIn(args, MAX_LEAVES).flatMap(({ value, withOther }) =>
    typeof value === 'string'
      ? [...HOSTILE, ...OTHER_MARKS].map((mark) => ({
          args: withOther(`${BEFORE_MARK}${mark}${AFTER_MARK}`),
          mark,
        }))
      : [],
  );
}

/** Numbers and texts that take an exponential time, but no long one otherwise. */
function longOf(args: string): string[] {
  return leavesIn(args, 1).flatMap(({ value, withOther }) => {
    if (typeof value === 'number')
      return Number.isInteger(value) && Math.abs(value) < 100 ? [withOther(80)] : [];
    const [letter = ''] = value;
    return letter === ''
      ? []
      : [withOther(`${letter.repeat(40)}!`), withOther(`${value.repeat(30).slice(0, 60)}!`)];
  });
}

function hugeOf(calls: readonly RepeatableCall[]): string[] {
  for (const { args } of calls) {
    const { a = [] } = JSON.parse(args) as { a?: Coded[] };
    const at = a.findIndex((it) => timesOf(firstOf(it)) > 0);
    if (at === -1) continue;
    const item = firstOf(a[at]!);
    const list = { a: Array.from({ length: timesOf(item) }, () => item) };
    return [JSON.stringify({ a: a.map((it, place) => (place === at ? list : it)) })];
  }
  return [];
}

/** The first item of a list. */
function firstOf(value: Coded): Coded | undefined {
  const { a } = (value ?? {}) as { a?: Coded[] };
  return a?.[0];
}

/** How often an item is repeated in a long list; 0 for one that is not. */
function timesOf(item: Coded | undefined): number {
  if (typeof item === 'number' || (typeof item === 'string' && item.length < 20)) return MANY;
  const isObject = typeof item === 'object' && item !== null && 'o' in item;
  return isObject && JSON.stringify(item).length <= MAX_ITEM_CHARS ? MANY_OBJECTS : 0;
}

/** Tells whether a result has the probe's text with something else in place of the hostile characters. */
export function neutralises(result: string | undefined, mark: string): boolean {
  const written = new RegExp(`${BEFORE_MARK}(.{0,12}?)${AFTER_MARK}`, 'gis');
  return textsIn(result).some((text) => [...text.matchAll(written)].some(([, between]) => between !== mark));
}

/** Tells whether a result has the probe's text as it is, wherever it has it. */
export function keepsMark(result: string | undefined, mark: string): boolean {
  return (
    textsIn(result).some((text) => text.toLowerCase().includes(`${BEFORE_MARK}${mark}${AFTER_MARK}`)) &&
    !neutralises(result, mark)
  );
}

/** The texts in a result, by `encodeValue`. */
function textsIn(result: string | undefined): string[] {
  return result === undefined ? [] : leavesOf(result).filter((it) => typeof it === 'string');
}
