/** Ways to look at values, for `observeCalls`. */
export interface ValueLooks {
  /** Such as `number`, `Array`, `Promise`, `Set Iterator`; `RegExp with a place` remembers where it stopped. */
  kindOf: (value: unknown) => string;
  /** Methods of the classes of an object. */
  methodsOf: (value: unknown) => string[];
  /** Names of what a module exports, and of the methods in it, such as `Money` and `Money.format`. */
  membersOf: (exported: unknown) => string[];
  /** Changes the first number, text or truth value in a list or object. False if there is none. */
  alter: (value: unknown) => boolean;
  /** Changes whatever can be changed in a list or object. */
  disturb: (value: unknown) => void;
  /** How parts of a result are related to parts of the arguments. */
  partsIn: (value: unknown, args: unknown, encode: (value: unknown) => string) => 'shared' | 'copied' | '';
  /** Names of the classes of an error, from its own one; empty for what is none. */
  classesOf: (error: unknown) => string[];
  /** Whether a source made the error, and not an operation of the language. */
  isMade: (error: unknown) => boolean;
  /** The name, the message and the own properties of an error, by `encode`; undefined for what has none or cannot be compared. */
  tellsOf: (error: unknown, encode: (value: unknown) => string) => string | undefined;
}

/** It must not refer to anything outside of its body: its source text runs in another process. */
export function lookAtValues(): ValueLooks {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const protoOf = (value: object): object | null => Object.getPrototypeOf(value) as object | null;
  const kindOf = (value: unknown): string => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
      return value === null ? 'null' : typeof value;
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    return tag === 'RegExp' && /[gy]/.test((value as RegExp).flags) ? 'RegExp with a place' : tag;
  };
  const functionsIn = (owner: object): string[] =>
    Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([name, { value }]) =>
      typeof value === 'function' && !/^(constructor$|_)/.test(name) ? [name] : [],
    );
  const methodsOf = (value: unknown): string[] => {
    if (!/^(Object|Map|Set)$/.test(kindOf(value))) return [];
    const names: string[] = [];
    for (let at = protoOf(value as object); at !== null && protoOf(at) !== null; at = protoOf(at))
      names.push(...functionsIn(at));
    return names;
  };
  const membersOf = (exported: unknown): string[] => {
    if (!isObject(exported)) return [];
    const owners = Object.entries(exported).filter(([, it]) => isObject(it) || typeof it === 'function');
    return owners.flatMap(([name, it]) => {
      const { prototype } = it as { prototype?: unknown };
      const own = functionsIn(it as object);
      const all = [...own, ...(isObject(prototype) ? functionsIn(prototype) : [])];
      return [name, ...all.map((key) => `${name}.${key}`)];
    });
  };
  const alter = (value: unknown): boolean => {
    if (!isObject(value)) return false;
    for (const [key, inner] of Object.entries(value)) {
      const own = value as Record<string, unknown>;
      if (typeof inner === 'number') own[key] = inner + 1;
      else if (typeof inner === 'string') own[key] = `${inner}x`;
      else if (typeof inner === 'boolean') own[key] = !inner;
      else if (!alter(inner)) continue;
      return true;
    }
    return false;
  };
  const disturb = (value: unknown): void => {
    try {
      if (Array.isArray(value)) value.push(value[0] ?? 0);
      else if (value instanceof Map) value.clear();
      else if (value instanceof Set) value.add('disturbed');
      else if (isObject(value)) {
        for (const inner of Object.values(value)) if (isObject(inner)) disturb(inner);
        alter(value);
      }
    } catch {
      // It cannot be changed.
    }
  };
  const objectsIn = (value: unknown, found = new Set<object>()): Set<object> => {
    if (!isObject(value) || found.has(value) || found.size > 200) return found;
    found.add(value);
    for (const inner of Object.values(value)) objectsIn(inner, found);
    return found;
  };
  const partsIn: ValueLooks['partsIn'] = (value, args, encode) => {
    const given = objectsIn(args);
    given.delete(args as object);
    const own = [...objectsIn(value)].filter((it) => Object.keys(it).length > 0);
    if (own.some((it) => given.has(it))) return 'shared';
    const texts = new Set<string>();
    try {
      for (const it of given) if (Object.keys(it).length > 0) texts.add(encode(it));
      return own.some((it) => texts.has(encode(it))) ? 'copied' : '';
    } catch {
      return '';
    }
  };
  const classesOf = (error: unknown): string[] => {
    const names: string[] = [];
    if (error instanceof Error)
      for (let at = protoOf(error); at !== null && at !== Object.prototype; at = protoOf(at))
        names.push((at as { constructor: { name: string } }).constructor.name);
    return names;
  };
  const isMade = (error: unknown): boolean => {
    if (!(error instanceof Error) || (error as { code?: string }).code === 'ERR_ASSERTION') return true;
    const [, path, line, column] =
      /((?:file:\/\/)?\/[^\s()]+):(\d+):(\d+)\)?$/m.exec(error.stack ?? '') ?? [];
    if (path === undefined) return false;
    try {
      const lines = readFileSync(path.startsWith('file:') ? fileURLToPath(path) : path, 'utf8').split('\n');
      const text = (lines[Number(line) - 1] ?? '').slice(Number(column) - 1);
      return /^(new|super|throw|\w*(Error|Exception))\b/.test(text);
    } catch {
      return false;
    }
  };
  const tellsOf: ValueLooks['tellsOf'] = (error, encode) => {
    if (!(error instanceof Error)) return undefined;
    try {
      return encode({ ...error, name: error.name, message: error.message });
    } catch {
      return undefined;
    }
  };
  return { kindOf, methodsOf, membersOf, alter, disturb, partsIn, classesOf, isMade, tellsOf };
}
