import type { encodeValue } from '../call-values.ts';

export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** An object or function that a recorded call made. */
export interface Handle {
  readonly at: number;
  /** Text of the object after its last recorded call, to see changes that no call made. */
  seen: string | undefined;
  isLost: boolean;
}
/** What all recorders of a process share. */
export interface RecordingState {
  readonly realm: string;
  depth: number;
  next: number;
  callbacks: number;
  orders: number;
  /** Number of calls that were not recorded, because there were many of their function. */
  unrecorded: number;
  isLooking: boolean;
  /** Position of the outermost call. */
  during: number | undefined;
  /** Calls in which something happened that cannot be repeated. */
  readonly tainted: Set<number>;
  /** Functions of tests that are running. */
  inCallback: number;
  readonly handles: WeakMap<object, Handle>;
  readonly wrappers: WeakMap<object, unknown>;
  readonly given: WeakMap<object, number>;
  /** Objects that tests gave as arguments: given again, they are repeated as copies, which code could tell apart. */
  readonly passed: WeakSet<object>;
  readonly types: WeakMap<object, string>;
  readonly patched: WeakSet<object>;
}

/** Where the lines of a recording go. */
export interface RecordingTarget {
  readonly encode: typeof encodeValue;
  /** Absolute path of the file. */
  readonly to: string;
  /** Most calls of one function that are recorded. */
  readonly most: number;
}

/** What the parts of a recorder share. */
export type Session = ReturnType<typeof openSession>;

/**
 * The state of the recording of a process, and what writes and compares values. Its source text becomes part of a source,
 * so it must not refer to anything outside of its body.
 */
export function openSession({ encode, to, most }: RecordingTarget) {
  const { appendFileSync: write } = process.getBuiltinModule('node:fs');
  const scope = globalThis as unknown as Record<symbol, RecordingState>;
  const state = (scope[Symbol.for('recorded calls')] ??= {
    realm: `${process.pid}-${String(process.hrtime.bigint())}`,
    depth: 0,
    next: 0,
    callbacks: 0,
    orders: 0,
    unrecorded: 0,
    isLooking: false,
    during: undefined,
    tainted: new Set(),
    inCallback: 0,
    handles: new WeakMap(),
    wrappers: new WeakMap(),
    given: new WeakMap(),
    passed: new WeakSet(),
    types: new WeakMap(),
    patched: new WeakSet(),
  });
  const { apply } = Reflect;
  const { stringify } = JSON;
  const kindOf = Object.prototype.toString;
  const textOf = Function.prototype.toString;
  const counts = new Map<string, number>();

  const isClass = (fn: unknown): boolean =>
    typeof fn === 'function' && /^class\b/.test(apply(textOf, fn, []));
  const isPromise = (value: unknown): value is Promise<unknown> =>
    apply(kindOf, value, []) === '[object Promise]';
  const isObject = (value: unknown): value is object =>
    (typeof value === 'object' && value !== null) || typeof value === 'function';
  const nameOf = (error: unknown): string => `throws ${String((error as Error | undefined)?.name)}`;

  /** Accessors that the encoding calls are no calls of a test. */
  const tryEncode = (
    value: unknown,
    isResult: boolean,
    coded?: (it: object) => unknown,
  ): string | undefined => {
    const { stackTraceLimit } = Error;
    state.isLooking = true;
    // An accessor sees the test in its stack, as it does without the frames of the encoding.
    Error.stackTraceLimit = stackTraceLimit + 30;
    try {
      return encode(value, isResult, coded);
    } catch {
      return undefined;
    } finally {
      state.isLooking = false;
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
  /** Objects that earlier calls made, and functions of the test. */
  const special = (it: object): unknown => {
    const handle = state.handles.get(it);
    if (handle !== undefined) return handle.isLost ? undefined : { h: handle.at };
    const callback = state.given.get(it);
    return callback === undefined ? undefined : { c: callback };
  };
  const encodeArgs = (args: unknown): string | undefined => tryEncode(args, false, special);
  const put = (line: object): void => write(to, `${stringify({ realm: state.realm, ...line })}\n`);
  const taint = (at: number | undefined): void => {
    if (at === undefined) return;
    state.tainted.add(at);
    put({ taint: at });
  };
  const isNew = (name: string): boolean => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= most;
  };

  /** Whether any object is an instance of a class. */
  const isInstance = (type: unknown): boolean => {
    try {
      return Object.create(null) instanceof (type as new () => object);
    } catch {
      return false;
    }
  };

  /** The text of an object's own properties; the same for every function and generator, whose state cannot be seen. */
  const look = (it: object): string | undefined => {
    const isOpen = typeof it === 'object' && !/Generator|Iterator/.test(apply(kindOf, it, []));
    return isOpen ? (tryEncode(it, true) ?? `lost ${Math.random()}`) : '';
  };

  const isLoose = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { constructor: type } = value as { constructor?: unknown };
    const isOwn = typeof type !== 'function' || !apply(textOf, type, []).includes('[native code]');
    const { valueOf } = value;
    const isPlain = type === Object || type === undefined || isOwn;
    return (
      isPlain &&
      (Symbol.toPrimitive in value ||
        'asymmetricMatch' in value ||
        (typeof valueOf === 'function' && !apply(textOf, valueOf, []).includes('[native code]')) ||
        ['toString', 'toJSON'].some((name) => Object.hasOwn(value, name)))
    );
  };

  /** True for an object that a test gave before; one that an earlier call made keeps its identity. */
  const isPassed = (it: object): boolean => {
    if (state.handles.has(it)) return false;
    const isKnown = state.passed.has(it);
    state.passed.add(it);
    return isKnown;
  };

  return {
    state,
    kindOf: (value: unknown): string => apply(kindOf, value, []) as string,
    isNative: (fn: unknown): boolean =>
      typeof fn === 'function' && apply(textOf, fn, []).includes('[native code]'),
    isClass,
    isPromise,
    isObject,
    isInstance,
    isLoose,
    isNew,
    isPassed,
    nameOf,
    tryEncode,
    encodeArgs,
    look,
    put,
    taint,
  };
}
