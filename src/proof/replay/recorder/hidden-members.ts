import type { Session } from './session.ts';

/**
 * A function that names the members of built-in prototypes that a value, or an object in it, has as properties of its own
 * where a comparison does not look for them: `toISOString of a Date`, a `toJSON` that is not enumerable. Its source text
 * becomes part of a source, so it must not refer to anything outside of its body.
 */
export function seekHiddenMembers({ state, isNative, kindOf }: Session) {
  const { ownKeys } = Reflect;
  const { apply } = Reflect;
  const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
  const { isProxy, isMap, isSet, isModuleNamespaceObject } = process.getBuiltinModule('node:util').types;
  const { forEach: forEachEntry } = Map.prototype;
  const { forEach: forEachItem } = Set.prototype;
  const { isView } = ArrayBuffer;
  const MAX_DEPTH = 4;
  const MAX_OBJECTS = 300;
  const MAX_ITEMS = 100;
  const wellKnown = ownKeys(Symbol).flatMap((key) => {
    const value = (Symbol as unknown as Record<PropertyKey, unknown>)[key];
    return typeof value === 'symbol' ? [value] : [];
  });
  /** Members that change how any object is converted, awaited, iterated or compared. */
  const OF_ANY: readonly PropertyKey[] = [
    ...['toJSON', 'valueOf', 'toString', 'toLocaleString', 'then', 'asymmetricMatch'],
    ...wellKnown.filter((key) => key !== Symbol.toStringTag),
  ];
  /** Own properties of instances, or texts that honest code sets. */
  const USUAL: ReadonlySet<PropertyKey> = new Set([
    ...['constructor', 'length', 'name', 'message', 'stack', 'cause', '__proto__'],
  ]);

  const isBuiltIn = (prototype: object): boolean => {
    const type: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    return isNative(type) && (type as { prototype?: unknown }).prototype === prototype;
  };
  const isOfClass = (prototype: object): boolean => {
    const type: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    return typeof type === 'function' && type.prototype === prototype;
  };
  /** An object with the nameless prototypes that it alone has, and the first built-in one above. */
  const chainOf = (it: object): { own: object[]; builtIn: object | null } => {
    const own = [it];
    let above = getPrototypeOf(it) as object | null;
    for (; above !== null && !isBuiltIn(above); above = getPrototypeOf(above) as object | null)
      if (!isOfClass(above)) own.push(above);
    return { own, builtIn: above };
  };
  const known = new Map<object, readonly PropertyKey[]>();
  const membersOf = (builtIn: object): readonly PropertyKey[] => {
    const found = known.get(builtIn);
    if (found !== undefined) return found;
    const all = new Set<PropertyKey>(wellKnown);
    for (let at: object | null = builtIn; at !== null; at = getPrototypeOf(at) as object | null)
      for (const key of ownKeys(at)) if (!USUAL.has(key)) all.add(key);
    known.set(builtIn, [...all]);
    return [...all];
  };
  const isPlain = (builtIn: object | null): boolean => builtIn === null || getPrototypeOf(builtIn) === null;

  /** A value that a proxy gives for every name that it does not know, such as a count of 0: it is not aimed at one of them. */
  const isDefault = (it: object, key: PropertyKey, value: unknown): boolean => {
    const unknown = typeof key === 'symbol' ? Symbol('q7x') : 'q7x1k9';
    return typeof value !== 'function' && (it as Record<PropertyKey, unknown>)[unknown] === value;
  };
  /** A proxy that has no such property, and answers as if it had. */
  const pretends = (it: object, key: PropertyKey): boolean => {
    let expected: unknown;
    for (let at: object | null = it; at !== null; at = getPrototypeOf(at) as object | null) {
      const found = getOwnPropertyDescriptor(at, key);
      if (found === undefined) continue;
      if (!('value' in found)) return false;
      expected = found.value;
      break;
    }
    const shown = (it as Record<PropertyKey, unknown>)[key];
    return shown !== expected && !isDefault(it, key, shown);
  };
  const hiddenOf = (it: object): string[] => {
    const { own, builtIn } = chainOf(it);
    const kind = kindOf(it).slice(8, -1);
    // The methods of iterators have no constructor that names them.
    if (/Generator|Iterator/.test(kind) || isModuleNamespaceObject(it)) return [];
    const isAnyObject = isPlain(builtIn);
    const keys = isAnyObject ? OF_ANY : membersOf(builtIn!);
    const isHidden = (key: PropertyKey): boolean =>
      isAnyObject
        ? getOwnPropertyDescriptor(it, key)?.enumerable === false
        : own.some((at) => getOwnPropertyDescriptor(at, key) !== undefined);
    const hidesJson =
      !isAnyObject && getOwnPropertyDescriptor(it, 'toJSON')?.enumerable === false ? ['toJSON'] : [];
    const type: unknown = builtIn === null ? undefined : builtIn.constructor;
    const owner = typeof type === 'function' ? type.name : 'Object';
    return [
      ...new Set([
        ...keys.filter((key) => isHidden(key) || (isProxy(it) && pretends(it, key))),
        ...hidesJson,
      ]),
    ].map((key) => `${String(key)} of ${/^[AEIOU]/.test(owner) ? 'an' : 'a'} ${owner}`);
  };
  const partsOf = (it: object): unknown[] => {
    const parts: unknown[] = [];
    if (isMap(it)) apply(forEachEntry, it, [(value: unknown, key: unknown) => parts.push(key, value)]);
    if (isSet(it)) apply(forEachItem, it, [(value: unknown) => parts.push(value)]);
    if (isView(it)) return parts;
    for (const key of ownKeys(it).slice(0, MAX_ITEMS)) parts.push(getOwnPropertyDescriptor(it, key)?.value);
    return parts.slice(0, 2 * MAX_ITEMS);
  };

  return (value: unknown): readonly string[] => {
    const seen = new Set<unknown>();
    const found = new Set<string>();
    const visit = (it: unknown, depth: number): void => {
      if (typeof it !== 'object' || it === null || depth > MAX_DEPTH || seen.size >= MAX_OBJECTS) return;
      // The recording itself replaces functions of what it knows.
      if (seen.has(it) || state.handles.has(it) || state.patched.has(it)) return;
      seen.add(it);
      for (const name of hiddenOf(it)) found.add(name);
      for (const part of partsOf(it)) visit(part, depth + 1);
    };
    const { isLooking } = state;
    state.isLooking = true;
    try {
      visit(value, 0);
    } catch {
      // A proxy that throws is no plain value.
    } finally {
      state.isLooking = isLooking;
    }
    return [...found];
  };
}
