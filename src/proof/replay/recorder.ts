import type { encodeValue } from './call-values.ts';

/** A call, as a line of the recording. */
export interface RecordedCall {
  /** Name of the process and of the copy of the source in it, in which it was made. */
  readonly realm: string;
  /** Position among the calls of the realm, from 0. */
  readonly at: number;
  /** Source with the function, relative to the root. */
  readonly source: string;
  /** Name of the export, `module.exports` for a CommonJS module that is a function, or name of the property of `on`. */
  readonly name: string;
  /** Default: `call`; `new` for the constructor `name`; `value` for the export itself; access to a property of `on`. */
  readonly kind?: 'call' | 'new' | 'value' | 'get' | 'set';
  /** Position of the call that made the object or function that it is a call of; absent for a function of the source. */
  readonly on?: number;
  /** The arguments, by `encodeValue`; absent if they cannot be copied. */
  readonly args?: string;
  /** The result, by `encodeValue`, or the name of the error after `throws `; absent if it cannot be compared. */
  readonly result?: string;
  /** True if the result is an object that compares equal to values of other kinds. */
  readonly isLoose?: boolean;
  /** The file that the process was started with, absolute; empty for code of the command line. */
  readonly entry: string;
  /** The time by the clock that the code saw, in milliseconds. */
  readonly clock: number;
}

/** A call of a function that a test gave, as a line of the recording. */
export interface RecordedCallback {
  readonly realm: string;
  /** Position among all calls of such functions in the realm. */
  readonly order: number;
  /** Number of the function among those of the realm. */
  readonly callback: number;
  /** Position of the recorded call that received it first. */
  readonly of: number;
  /** Position of the recorded call in which it was called; absent if later. */
  readonly during?: number;
  /** The arguments and the result, by `encodeValue`; absent if they cannot be copied. */
  readonly args?: string;
  readonly returned?: string;
  /** True for a result that was a promise. */
  readonly isAsync?: boolean;
}

/** What an instrumented source calls. */
export interface Recorder {
  /** A function that records its calls. Classes are returned unchanged. */
  call(name: string, fn: unknown): unknown;
  /** Records the calls of an exported class's methods. */
  type(name: string, type: unknown): void;
  /** Records an exported value, and the calls of its functions. */
  value(name: string, value: unknown): void;
  /** Begins the construction of an instance. */
  begin(given: ArrayLike<unknown>): Construction;
  /** Records the construction, if it was made by the class itself. */
  made(self: object, type: unknown, construction: Construction): void;
  end(construction: Construction): void;
}

interface Construction {
  readonly at: number;
  readonly args: string | undefined;
  readonly isOutermost: boolean;
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A recorder of the outermost calls of a source. Its source text becomes part of a source, so it must not refer to anything
 * outside of its body.
 */
export function createRecorder(
  encode: typeof encodeValue,
  to: string,
  source: string,
  most: number,
): Recorder {
  interface Handle {
    readonly at: number;
    /** Text of the object after its last recorded call, to see changes that no call made. */
    seen: string | undefined;
    isLost: boolean;
  }
  interface State {
    readonly realm: string;
    depth: number;
    next: number;
    callbacks: number;
    orders: number;
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
  const { appendFileSync: write } = process.getBuiltinModule('node:fs');
  const scope = globalThis as unknown as Record<symbol, State>;
  const state = (scope[Symbol.for('recorded calls')] ??= {
    realm: `${process.pid}-${String(process.hrtime.bigint())}`,
    depth: 0,
    next: 0,
    callbacks: 0,
    orders: 0,
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
  const { apply, construct, ownKeys } = Reflect;
  const {
    getPrototypeOf,
    getOwnPropertyDescriptor,
    getOwnPropertyDescriptors,
    defineProperty,
    defineProperties,
  } = Object;
  const { stringify } = JSON;
  const { EventEmitter } = process.getBuiltinModule('node:events');
  const kindOf = Object.prototype.toString;
  const textOf = Function.prototype.toString;
  const entry = process.argv[1] ?? '';
  const OPAQUE = '{"h":true}';
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

  /** A function of the test that records how it is called. */
  const given = (fn: AnyFunction, of: number): AnyFunction => {
    const known = state.wrappers.get(fn) as AnyFunction | undefined;
    if (known !== undefined) return known;
    const callback = state.callbacks++;
    let pending = 0;
    const noting = function (this: unknown, ...args: unknown[]): unknown {
      if (new.target !== undefined)
        return construct(fn, args, new.target === noting ? fn : new.target) as unknown;
      const before = encodeArgs(args);
      const during = state.during;
      const blamed = during ?? of;
      const line = {
        order: state.orders++,
        callback,
        of,
        ...(during !== undefined && { during }),
        args: before,
      };
      // Two calls that waited for the same callback would be repeated one after the other.
      if (pending > 0 || (during === undefined && state.next - 1 > of)) taint(blamed);
      state.inCallback++;
      let returned: unknown;
      try {
        returned = apply(fn, this, args);
      } catch (error) {
        taint(blamed);
        throw error;
      } finally {
        state.inCallback--;
      }
      if (before === undefined || encodeArgs(args) !== before) taint(blamed);
      const settle = (text: string | undefined): void => {
        if (text === undefined) taint(blamed);
        put({ ...line, returned: text, ...(isPromise(returned) && { isAsync: true }) });
      };
      if (isPromise(returned)) {
        pending++;
        returned.then(
          (value) => {
            pending--;
            settle(encodeArgs(value));
          },
          () => {
            pending--;
            settle(undefined);
          },
        );
      } else settle(encodeArgs(returned));
      return returned;
    };
    defineProperties(noting, getOwnPropertyDescriptors(fn));
    state.wrappers.set(fn, noting);
    state.wrappers.set(noting, noting);
    state.given.set(noting, callback);
    return noting;
  };

  /** Makes the calls on a result recordable; the value to return in its place. */
  const follow = (value: unknown, at: number): unknown => {
    if (!isObject(value) || isPromise(value) || state.handles.has(value)) return value;
    if (typeof value === 'function') {
      if (isClass(value) || state.given.has(value)) return value;
      const known = state.wrappers.get(value);
      if (known !== undefined) return known;
      const handle = { at, seen: '', isLost: false };
      const wrapper = wrap({ name: '', fn: value as AnyFunction, handle });
      state.wrappers.set(value, wrapper);
      state.handles.set(wrapper as object, handle);
      return wrapper;
    }
    if (!patch(value)) return value;
    state.handles.set(value, { at, seen: look(value), isLost: false });
    return value;
  };

  const shownName = (key: PropertyKey): string | undefined =>
    typeof key === 'string'
      ? key
      : key === Symbol.iterator
        ? '@@iterator'
        : key === Symbol.asyncIterator
          ? '@@asyncIterator'
          : undefined;

  /** Replaces the functions of an object by recording ones. */
  const patchOwn = (owner: object, isPrototype: boolean): void => {
    if (state.patched.has(owner)) return;
    state.patched.add(owner);
    for (const key of ownKeys(owner)) {
      const name = shownName(key);
      const found = getOwnPropertyDescriptor(owner, key)!;
      if (name === undefined || name === 'constructor' || found.configurable !== true) continue;
      if (typeof found.value === 'function' && !isClass(found.value))
        defineProperty(owner, key, { ...found, value: wrap({ name, fn: found.value as AnyFunction }) });
      if (isPrototype && (found.get !== undefined || found.set !== undefined))
        defineProperty(owner, key, {
          ...found,
          ...(found.get && {
            get: wrap({ name, fn: found.get as AnyFunction, kind: 'get' }) as () => unknown,
          }),
          ...(found.set && { set: wrap({ name, fn: found.set as AnyFunction, kind: 'set' }) as () => void }),
        });
    }
  };

  /** True if all functions that can be called on an object are recorded now. */
  const patch = (value: object): boolean => {
    if (Object.isFrozen(value) || Object.isSealed(value)) return false;
    const kind = apply(kindOf, value, []) as string;
    if (/^\[object (Async)?Generator\]$/.test(kind)) {
      for (const name of ['next', 'return', 'throw']) {
        const fn = (value as Record<string, unknown>)[name] as AnyFunction;
        defineProperty(value, name, {
          value: wrap({ name, fn }),
          writable: true,
          configurable: true,
          enumerable: false,
        });
      }
      return true;
    }
    if (kind !== '[object Object]' || value instanceof EventEmitter) return false;
    const chain: object[] = [];
    for (
      let at: object | null = value;
      at !== null && at !== Object.prototype;
      at = getPrototypeOf(at) as object | null
    ) {
      const { constructor: type } = at as { constructor?: unknown };
      if (at !== value && (typeof type !== 'function' || apply(textOf, type, []).includes('[native code]')))
        return false;
      if (getPrototypeOf(at) === null && at !== value) return false;
      chain.push(at);
    }
    const hasFunctions = chain.some((at) =>
      ownKeys(at).some((key) => {
        const found = getOwnPropertyDescriptor(at, key)!;
        return (
          key !== 'constructor' &&
          (typeof found.value === 'function' || (at !== value && found.get !== undefined))
        );
      }),
    );
    if (hasFunctions) for (const at of chain) patchOwn(at, at !== value);
    return hasFunctions;
  };

  interface Wrapped {
    readonly name: string;
    readonly fn: AnyFunction;
    readonly kind?: 'get' | 'set';
    /** For a function that a call returned. */
    readonly handle?: Handle;
    /** True for an export of the source. */
    readonly isExport?: boolean;
  }

  const wrap = ({ name, fn, kind, handle: own, isExport }: Wrapped): unknown => {
    const recorded = function (this: unknown, ...args: unknown[]): unknown {
      if (new.target !== undefined)
        return construct(fn, args, new.target === recorded ? fn : new.target) as unknown;
      if (state.isLooking) return apply(fn, this, args);
      if (state.depth > 0) {
        if (state.inCallback > 0) taint(state.during);
        return apply(fn, this, args);
      }
      const handle = own ?? (isExport === true || !isObject(this) ? undefined : state.handles.get(this));
      if (isExport !== true && handle === undefined) return apply(fn, this, args);
      if (!isNew(`${handle === undefined ? '' : '.'}${name}`)) {
        if (handle !== undefined) handle.isLost = true;
        return apply(fn, this, args);
      }
      const at = state.next++;
      const isFree =
        handle !== undefined ||
        this === undefined ||
        this === globalThis ||
        (this as Record<string, unknown>)[name] === recorded;
      if (handle !== undefined && own === undefined && look(this as object) !== handle.seen)
        handle.isLost = true;
      const isRepeated = args.some((it) => typeof it === 'object' && it !== null && isPassed(it));
      const isUsable = isFree && handle?.isLost !== true && !isRepeated;
      const passed = args.map((it) =>
        typeof it === 'function' && !isClass(it) ? given(it as AnyFunction, at) : it,
      );
      const text = isUsable ? encodeArgs(passed) : undefined;
      const clock = Date.now();
      const argsNow = (): string | undefined => (text === undefined ? undefined : encodeArgs(passed));
      const finish = (
        shownResult: string | undefined,
        isLooseResult = false,
        after: string | undefined = argsNow(),
      ): void => {
        // What the call did to its arguments belongs to its result.
        const result =
          shownResult === undefined || after === text
            ? shownResult
            : after && `${shownResult}\nargs ${after}`;
        const isWhole = !state.tainted.has(at) && text !== undefined;
        if (!isWhole && handle !== undefined) handle.isLost = true;
        put({
          at,
          source,
          name,
          ...(kind && { kind }),
          ...(handle && { on: handle.at }),
          ...(isWhole && { args: text }),
          result,
          ...(isLooseResult && { isLoose: true }),
          clock,
          entry,
        });
        if (handle !== undefined && own === undefined) handle.seen = look(this as object);
      };
      const show = (value: unknown): string | undefined =>
        tryEncode(value, true) ?? (isObject(value) && state.handles.has(value) ? OPAQUE : undefined);
      let result: unknown;
      state.depth++;
      state.during = at;
      try {
        result = apply(fn, this, passed);
      } catch (error) {
        finish(nameOf(error));
        throw error;
      } finally {
        state.depth--;
        state.during = undefined;
      }
      if (isPromise(result)) {
        result.then(
          (value) => {
            const after = argsNow();
            if (typeof value !== 'function') follow(value, at);
            finish(show(value), isLoose(value), after);
          },
          (error: unknown) => finish(nameOf(error)),
        );
        return result;
      }
      // Before the result gets a name: it may be one of the arguments.
      const after = argsNow();
      const shown = follow(result, at);
      finish(show(shown), isLoose(result), after);
      return shown;
    };
    defineProperties(recorded, getOwnPropertyDescriptors(fn));
    return recorded;
  };

  return {
    call(name, fn) {
      if (typeof fn !== 'function' || isClass(fn)) return fn;
      return wrap({ name, fn: fn as AnyFunction, isExport: true });
    },
    type(name, type) {
      if (!isClass(type)) return;
      state.types.set(type as object, name);
      if (Object.hasOwn(type as object, Symbol.hasInstance) && isInstance(type)) put({ anyIs: name, source });
      patchOwn((type as { prototype: object }).prototype, true);
    },
    value(name, value) {
      if (isPromise(value) || typeof value === 'function') return;
      const at = state.next++;
      if (isObject(value)) follow(value, at);
      const isHandle = isObject(value) && state.handles.has(value);
      const result = tryEncode(value, true) ?? (isHandle ? OPAQUE : undefined);
      put({ at, source, name, kind: 'value', args: '{"a":[]}', result, clock: Date.now(), entry });
    },
    begin(passed) {
      const isOutermost = state.depth === 0;
      const at = isOutermost ? state.next++ : -1;
      state.depth++;
      const args = isOutermost ? encodeArgs([...(passed as unknown[])]) : undefined;
      return { at, args, isOutermost };
    },
    made(self, type, { at, args, isOutermost }) {
      if (!isOutermost || typeof type !== 'function' || args === undefined) return;
      const name = state.types.get(type);
      if (name === undefined || getPrototypeOf(self) !== type.prototype || !patch(self)) return;
      state.handles.set(self, { at, seen: look(self), isLost: false });
      const result = tryEncode(self, true) ?? OPAQUE;
      put({ at, source, name, kind: 'new', args, result, isLoose: isLoose(self), clock: Date.now(), entry });
    },
    end() {
      state.depth--;
    },
  };
}
