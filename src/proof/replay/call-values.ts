/**
 * Text of a value that is the same for equal values in every process. Throws for a value that would not be the same after
 * it was read back: functions, symbols, instances of classes, accessors, an object that occurs twice, large values. With
 * `isResult`, functions are all alike, instances of classes are their own properties, and an accessor is its value: such a
 * text can only be compared. `special` may code objects and functions that cannot be copied.
 *
 * It must not refer to anything outside of its body: its source text runs in other processes.
 */
export function encodeValue(value: unknown, isResult = false, special?: (it: object) => unknown): string {
  let left = 2_000;
  const seen: unknown[] = [];
  const refuse = (why: string): never => {
    throw new TypeError(why);
  };
  const encodeNumber = (it: number): unknown => {
    if (Number.isFinite(it) && !Object.is(it, -0)) return it;
    return { n: Object.is(it, -0) ? '-0' : String(it) };
  };
  const encode = (it: unknown, depth: number): unknown => {
    if (--left < 0 || depth > 20) refuse('too large');
    if (it === null || typeof it === 'boolean') return it;
    if (typeof it === 'string') return it.length > 20_000 ? refuse('too large') : it;
    if (typeof it === 'number') return encodeNumber(it);
    if (it === undefined) return { u: 1 };
    if (special !== undefined && (typeof it === 'function' || typeof it === 'object')) {
      const coded = special(it);
      if (coded !== undefined) return coded;
    }
    if (typeof it === 'bigint') return { b: String(it) };
    if (typeof it === 'function' && isResult) return { f: 1 };
    return typeof it === 'object' ? encodeObject(it, depth) : refuse('cannot be copied');
  };
  const encodeObject = (it: object, depth: number): unknown => {
    if (seen.includes(it)) refuse('occurs twice');
    seen.push(it);
    const kind = Object.prototype.toString.call(it).slice(8, -1);
    const proto = Object.getPrototypeOf(it) as { constructor?: { name?: string } } | null;
    const above = proto === null ? null : (Object.getPrototypeOf(proto) as object | null);
    const isBuiltIn =
      proto?.constructor?.name === kind && above !== null && Object.getPrototypeOf(above) === null;
    const keys = Reflect.ownKeys(it);
    const item = (key: PropertyKey): unknown => {
      const found = Object.getOwnPropertyDescriptor(it, key)!;
      if (typeof key !== 'string') return refuse('cannot be copied');
      if (!('value' in found) && !isResult) return refuse('cannot be copied');
      return encode('value' in found ? found.value : found.get?.call(it), depth + 1);
    };
    if (kind === 'Array' && isBuiltIn) {
      const { length } = it as unknown[];
      return keys.length === length + 1 ? { a: keys.slice(0, -1).map(item) } : refuse('cannot be copied');
    }
    if (kind === 'Object' && (proto === null || above === null || isResult)) {
      if (Object.prototype.propertyIsEnumerable.call(it, 'then')) refuse('cannot be copied');
      return { o: keys.map((key) => [key, item(key)]), p: proto === null ? 1 : 0 };
    }
    if (kind === 'Error' && isResult)
      return { e: [String((it as Error).name), String((it as Error).message)] };
    if (ArrayBuffer.isView(it) && /^(?:Big)?(?:Ui|I)nt\d+(?:Clamped)?Array$|^Float\d+Array$/.test(kind)) {
      const items = [...(it as unknown as Iterable<unknown>)];
      const name = proto?.constructor?.name === 'Buffer' ? 'Buffer' : kind;
      return keys.length === items.length
        ? { t: [name, items.map((one) => encode(one, depth + 1))] }
        : refuse('cannot be copied');
    }
    if (keys.length > (kind === 'RegExp' ? 1 : 0) || !isBuiltIn) refuse('cannot be copied');
    if (kind === 'URL' || kind === 'URLSearchParams') return { l: [kind, String(it)] };
    if (kind === 'Date') return { d: (it as Date).getTime() };
    if (kind === 'RegExp') return { r: [(it as RegExp).source, (it as RegExp).flags] };
    if (kind === 'Map')
      return {
        m: [...(it as Map<unknown, unknown>)].map((pair) => pair.map((one) => encode(one, depth + 1))),
      };
    if (kind === 'Set') return { s: [...(it as Set<unknown>)].map((one) => encode(one, depth + 1)) };
    return refuse('cannot be copied');
  };
  return JSON.stringify(encode(value, 0));
}

/**
 * The value of a text that `encodeValue` made of no result. `special` gives the value of what its namesake coded. It must
 * not refer to anything outside of its body.
 */
export function decodeValue(text: string, special?: (coded: object) => unknown): unknown {
  interface Coded {
    readonly n?: string;
    readonly u?: number;
    readonly b?: string;
    readonly a?: readonly unknown[];
    readonly o?: readonly (readonly [string, unknown])[];
    readonly p?: number;
    readonly d?: number | null;
    readonly r?: readonly [string, string];
    readonly m?: readonly (readonly [unknown, unknown])[];
    readonly s?: readonly unknown[];
    readonly t?: readonly [string, readonly unknown[]];
    readonly l?: readonly [string, string];
  }
  const decode = (it: unknown): unknown => {
    if (typeof it !== 'object' || it === null) return it;
    const { n, u, b, a, o, p, d, r, m, s, t, l } = it as Coded;
    const known = special?.(it);
    if (known !== undefined) return known;
    if (n !== undefined) return Number(n);
    if (u !== undefined) return undefined;
    if (b !== undefined) return BigInt(b);
    if (a !== undefined) return a.map(decode);
    if (d !== undefined) return new Date(d ?? Number.NaN);
    if (r !== undefined) return new RegExp(r[0], r[1]);
    if (m !== undefined)
      return new Map(m.map(([key, one]): [unknown, unknown] => [decode(key), decode(one)]));
    if (s !== undefined) return new Set(s.map(decode));
    const types = globalThis as unknown as Record<string, { from(items: unknown): unknown }>;
    if (t !== undefined) return types[t[0]]!.from(t[1].map(decode));
    if (l !== undefined) return l[0] === 'URL' ? new URL(l[1]) : new URLSearchParams(l[1]);
    const made = (p === 1 ? Object.create(null) : {}) as Record<string, unknown>;
    for (const [key, one] of o ?? [])
      Object.defineProperty(made, key, {
        value: decode(one),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    return made;
  };
  return decode(JSON.parse(text));
}
