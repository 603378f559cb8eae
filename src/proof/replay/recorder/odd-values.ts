import type { Session } from './session.ts';

/**
 * A function that says, as ends of sentences, by which ways a result shows one who looks something else than one who uses it:
 * properties that are not the same when they are read again, or when they are listed or written as JSON in between; a `toJSON`
 * that gives other values than the properties have; lists and maps that differ by how they are read; lists of one object; members that decide how it is compared or awaited; keys without a value
 * that `code` does not name. `given`: the arguments of the call. Its source text becomes part of a source, so it must not refer to anything outside of its body.
 */
export function seekOddities({ state, isNative, tryEncode, isPromise }: Session) {
  const { ownKeys } = Reflect;
  const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { stringify } = JSON;
  const { isProxy, isMap } = process.getBuiltinModule('node:util').types;
  const { inspect } = process.getBuiltinModule('node:util');
  const textOf = Function.prototype.toString;
  const { apply } = Reflect;
  const READS = 6;
  const MAX_KEYS = 50;
  const MAX_DEPTH = 3;
  /** What honest code may read anew each time. */
  const CHANGES = /\b(Date|performance|hrtime|random|randomUUID|uptime)\b/;

  type Readable = Record<PropertyKey, unknown>;
  const accessorOf = (it: object, key: PropertyKey): (() => unknown) | undefined => {
    for (let at: object | null = it; at !== null; at = getPrototypeOf(at) as object | null) {
      const found = getOwnPropertyDescriptor(at, key);
      if (found !== undefined) return found.get;
    }
    return undefined;
  };
  const TRAPS = new Set(ownKeys(Reflect));
  /** Names of the properties of what a proxy is for; none of its traps is called. */
  const keysBehind = (it: object): string[] => {
    const shown = inspect(it, { showProxy: true, depth: 1 });
    const names = [...shown.matchAll(/[{,]\s+([A-Za-z_$][\w$]*): /g)].map(([, name]) => name!);
    return [...new Set(names)].filter((name) => !TRAPS.has(name)).slice(0, MAX_KEYS);
  };
  /** Properties that run code when they are read. */
  const activeKeys = (it: object): PropertyKey[] => {
    if (isProxy(it)) return keysBehind(it);
    const keys: PropertyKey[] = [];
    for (let at: object | null = it; at !== null; at = getPrototypeOf(at) as object | null) {
      if (at !== it && isNative(getOwnPropertyDescriptor(at, 'constructor')?.value)) break;
      for (const key of ownKeys(at)) {
        const get = key === '__proto__' ? undefined : getOwnPropertyDescriptor(at, key)?.get;
        if (get !== undefined && !isNative(get) && !CHANGES.test(apply(textOf, get, []))) keys.push(key);
      }
    }
    return keys.slice(0, MAX_KEYS);
  };
  const read = (it: object, key: PropertyKey): string => {
    try {
      return tryEncode((it as Readable)[key], true) ?? '';
    } catch {
      return 'throws';
    }
  };
  const findChanging = (it: object): PropertyKey | undefined => {
    const keys = activeKeys(it);
    if (keys.length === 0) return undefined;
    const first = keys.map((key) => read(it, key));
    const looks = [
      () => ownKeys(it),
      () => ({ ...it }),
      () => inspect(it),
      () => isProxy(it) || stringify(it),
    ];
    for (let at = 0; at < READS; at++) {
      try {
        looks[at]?.();
      } catch {
        // What cannot be written is not compared.
      }
      const changed = keys.find((key, place) => read(it, key) !== first[place]);
      if (changed !== undefined) return changed;
    }
    return undefined;
  };
  const isPlain = (value: unknown): boolean => /^(string|number|boolean)$/.test(typeof value);
  /** A property that `toJSON` gives another value of the same kind. */
  const findMasked = (it: object): string | undefined => {
    const { toJSON } = it as { toJSON?: unknown };
    if (typeof toJSON !== 'function' || isNative(toJSON)) return undefined;
    const shown: unknown = apply(toJSON as () => unknown, it, ['']);
    if (typeof shown !== 'object' || shown === null) return undefined;
    return Object.keys(shown).find((key) => {
      const [own, other] = [(it as Readable)[key], (shown as Readable)[key]];
      return (
        isPlain(own) && typeof own === typeof other && own !== other && accessorOf(it, key) === undefined
      );
    });
  };
  const { forEach: forEachEntry } = Map.prototype;
  const itemsOf = (it: unknown[]): unknown[] => Array.from({ length: it.length }, (_, at) => it[at]);
  const isSame = (a: unknown, b: unknown): boolean => {
    const [own, other] = [tryEncode(a, true), tryEncode(b, true)];
    return own === undefined || other === undefined || own === other;
  };
  /** Whether a list or a map of a class of its own gives other items by one way than by another. */
  const isDivided = (it: object): boolean => {
    if (isNative((getPrototypeOf(it) as { constructor?: unknown } | null)?.constructor)) return false;
    if (Array.isArray(it)) {
      const items = itemsOf(it);
      const same = (value: unknown): unknown => value;
      const ways = [
        () => [...it],
        () => it.map(same),
        () => it.slice(),
        () => items.map((_, at) => it.at(at)),
      ];
      return ways.some((way) => !isSame(items, itemsOf(way() as unknown[])));
    }
    if (!isMap(it)) return false;
    const entries: [unknown, unknown][] = [];
    apply(forEachEntry, it, [(value: unknown, key: unknown) => entries.push([key, value])]);
    return !isSame(entries, [...it]) || entries.some(([key, value]) => !isSame(it.get(key), value));
  };
  /** Whether all items of a list are one object that can be changed, and that the caller did not give. */
  const isOfOne = (it: object, given: readonly unknown[]): boolean => {
    if (!Array.isArray(it) || it.length < 2) return false;
    const first: unknown = it[0];
    if (given.some((one) => one === first || (Array.isArray(one) && one.includes(first)))) return false;
    const isOpen = typeof first === 'object' && first !== null && Object.isExtensible(first);
    const isData = isOpen && (Array.isArray(first) || getPrototypeOf(first) === Object.prototype);
    return isData && itemsOf(it).every((item) => item === first);
  };
  const isOwnFunction = (value: unknown): boolean => typeof value === 'function' && !isNative(value);
  const oddityOf = (
    it: object,
    written: ReadonlySet<string>,
    given: readonly unknown[],
  ): string | undefined => {
    const changing = findChanging(it);
    if (changing !== undefined)
      return `returns an object whose property ${String(changing)} is not the same when it is read again, or when the object was listed or written in between`;
    if (isProxy(it)) return undefined;
    if (isDivided(it))
      return 'returns a list or a map that gives other items when it is gone through than when it is asked for one';
    if (isOfOne(it, given))
      return 'returns a list whose items are all one and the same object, so that whoever changes one changes all';
    const masked = findMasked(it);
    if (masked !== undefined)
      return `returns an object whose toJSON gives another ${masked} than the object has`;
    const empty = Object.keys(it).find((key) => (it as Readable)[key] === undefined && !written.has(key));
    if (empty !== undefined && getPrototypeOf(it) === Object.prototype)
      return 'returns an object with keys that hold undefined, which are there for who lists them';
    const { asymmetricMatch, then } = it as { asymmetricMatch?: unknown; then?: unknown };
    if (isOwnFunction(asymmetricMatch))
      return 'returns an object with asymmetricMatch, which makes a test runner ask it whether it is what the test expects';
    return isOwnFunction(then) && !isPromise(it)
      ? 'returns an object with a method "then" that is no promise, so that await gives another value than the object'
      : undefined;
  };

  return (value: unknown, code = '', given: readonly unknown[] = []): readonly string[] => {
    const written = new Set(code.match(/\w+/g));
    const seen = new Set<unknown>();
    const found = new Set<string>();
    const visit = (it: unknown, depth: number): void => {
      if (typeof it !== 'object' || it === null || depth > MAX_DEPTH || seen.size >= MAX_KEYS) return;
      if (seen.has(it) || state.handles.has(it) || state.patched.has(it)) return;
      seen.add(it);
      const odd = oddityOf(it, written, given);
      if (odd !== undefined) found.add(odd);
      if (isProxy(it)) return;
      for (const key of ownKeys(it).slice(0, MAX_KEYS))
        visit(getOwnPropertyDescriptor(it, key)?.value, depth + 1);
    };
    const { isLooking } = state;
    state.isLooking = true;
    try {
      visit(value, 0);
    } catch {
      // An object that throws when it is looked at is found by the tests.
    } finally {
      state.isLooking = isLooking;
    }
    return [...found];
  };
}
