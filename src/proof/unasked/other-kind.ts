import type { Coded } from '../tested-inputs/neighbours.ts';
import type { Difference } from './differences.ts';
import { kindIn, likeKindsOf } from './kinds.ts';
import type { Behaviour } from './behaviour.ts';
import type { Compared } from './rule.ts';

const IS_ONCE = /Iterator|^Generator$/;

/** Differences of the calls of one function whose results are all of another kind than before, or have lost a property. */
export function otherKinds(compared: readonly Compared[], texts: readonly string[]): Difference[] {
  const known = compared.filter(({ before, now }) => isValue(before) && isValue(now));
  const [first] = known;
  if (first === undefined) return [];
  const made = (change: (compared: Compared) => string | undefined): Difference['results'] => {
    const all = known.map((it) => [it.call.args, change(it)] as const);
    return all.some(([, text]) => text === undefined)
      ? undefined
      : { [first.call.name]: Object.fromEntries(all) as Record<string, string> };
  };
  const { source, name } = first.call;
  const permits = `--allow ${source} permits it.`;
  const found: Difference[] = [];
  const kinds = made((it) => likeBefore(it, texts));
  if (kinds !== undefined) {
    const [was, is] = [shownKind(first.before), shownKind(first.now)];
    const sentence = `${name} of ${source} returns ${is} where it returned ${was} before, and no test asks for that: all pass with ${was}. Return what users of it expect; if the other kind is meant, ${permits}`;
    found.push({ change: 'answered', calls: [first.call], results: kinds, sentence });
  }
  const lost = lostProperty(first);
  const full = lost === undefined ? undefined : made((it) => withProperty(it, lost));
  if (full !== undefined) {
    const sentence = `${name} of ${source} returns an object without the property ${lost!}, which it had before, and no test asks for that: all pass with it. Keep it; if it is to go, ${permits}`;
    found.push({ change: 'answered', calls: [first.call], results: full, sentence });
  }
  return found;
}

/** The result with values of the kinds that it had before; a promise or an iterator is what it gives. */
function likeBefore({ before, now }: Compared, texts: readonly string[]): string | undefined {
  const isDeferred = now.kind === 'Promise' && before.kind !== 'Promise';
  const isOnce = IS_ONCE.test(now.kind) && before.kind === 'Array';
  if (isDeferred || isOnce) return likeKindsOf(before.plain!, now.plain!) ?? now.plain!;
  const isWritten = texts.some((it) => hasText(it, now.plain!));
  return isWritten ? undefined : likeKindsOf(before.plain!, now.plain!);
}

type Properties = readonly (readonly [string, Coded])[];

function propertiesOf(text: string): Properties | undefined {
  return ((JSON.parse(text) ?? {}) as { o?: Properties }).o;
}

function lostProperty({ before, now }: Compared): string | undefined {
  const own = propertiesOf(now.plain!);
  if (own === undefined || (before.kind === 'Promise') !== (now.kind === 'Promise')) return undefined;
  return propertiesOf(before.plain!)?.find(([name]) => !own.some(([it]) => it === name))?.[0];
}

function withProperty({ before, now }: Compared, name: string): string | undefined {
  const own = propertiesOf(now.plain!);
  const lost = propertiesOf(before.plain!)?.find(([it]) => it === name);
  // What the tests expect of a promise or of an instance cannot be made.
  if (own === undefined || lost === undefined || now.kind !== 'Object' || now.methods.length > 0)
    return undefined;
  if (own.some(([it]) => it === name)) return undefined;
  return JSON.stringify({ ...(JSON.parse(now.plain!) as object), o: [...own, lost] });
}

function isValue({ plain }: Behaviour): boolean {
  return plain !== undefined && !/^(null|\{"u":1\}|\{"h":true\})$/.test(plain);
}

/** A text that the tests write down is asked for. */
function hasText(test: string, result: string): boolean {
  const value = JSON.parse(result) as unknown;
  return typeof value === 'string' && ["'", '"', '`'].some((mark) => test.includes(mark + value + mark));
}

function shownKind({ kind, plain }: Behaviour): string {
  if (kind === 'Promise') return 'a promise';
  return IS_ONCE.test(kind) ? 'an iterator' : `${kindIn(plain!)}${itemKind(plain!)}`;
}

function itemKind(plain: string): string {
  const { a } = (JSON.parse(plain) ?? {}) as { a?: unknown[] };
  return a?.[0] === undefined ? '' : ` with ${kindIn(JSON.stringify(a[0]))} in it`;
}
