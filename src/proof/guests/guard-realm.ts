/** Receives the name of a built-in and the stack of the code that replaced it. */
export type NoteReplacement = (name: string, stack: string) => void;

/** A realm under watch. */
export interface GuardedRealm {
  /** The stack of the caller, whatever the code of the realm does to stacks. */
  readonly trace: () => string;
  /** Notes replacements that went past the accessors. */
  readonly verify: () => void;
}

type Owner = Record<PropertyKey, unknown>;

/**
 * Watches the built-ins of one realm: each function of the language that assertions use, and the assertions themselves,
 * becomes an accessor that behaves like the plain property and reports who replaces it.
 *
 * It must not refer to anything outside of its body: its source text also runs in contexts of `node:vm`.
 */
export function guardRealm(
  note: NoteReplacement,
  assertions: readonly (readonly [name: string, owner: object])[],
): GuardedRealm {
  const scope = globalThis as unknown as Owner;
  const { defineProperty, defineProperties, getOwnPropertyDescriptor, getPrototypeOf, create } = Object;
  const { apply, ownKeys, set: assign } = Reflect;
  const { toString: nameOfSymbol } = Symbol.prototype;
  const OwnError = Error as Omit<ErrorConstructor, 'prepareStackTrace'> & {
    new (message: string): Error;
    prepareStackTrace: unknown;
  };
  const OwnProxy = Proxy;
  const hasOwn = Object.hasOwn;
  const OwnArray = Array;
  interface Cell {
    readonly owner: object;
    readonly key: PropertyKey;
    readonly name: string;
    readonly get: () => unknown;
    readonly replace: (value: unknown) => void;
  }
  const owners: object[] = [];
  const cellsOf: Record<PropertyKey, Cell>[] = [];
  let isNoting = false;

  function trace(): string {
    const wasNoting = isNoting;
    isNoting = true;
    try {
      const { prepareStackTrace, stackTraceLimit } = OwnError;
      OwnError.prepareStackTrace = undefined;
      OwnError.stackTraceLimit = 60;
      const { stack = '' } = new OwnError('here');
      OwnError.prepareStackTrace = prepareStackTrace;
      OwnError.stackTraceLimit = stackTraceLimit;
      return stack;
    } catch {
      return '';
    } finally {
      isNoting = wasNoting;
    }
  }

  function report(name: string): void {
    if (!isNoting) note(name, trace());
  }

  function guard(owner: object, key: PropertyKey, name: string, isFixed: boolean): void {
    const found = getOwnPropertyDescriptor(owner, key);
    if (found?.configurable !== true || !('value' in found) || typeof found.value !== 'function') return;
    let index = -1;
    for (let at = 0; at < owners.length; at++) if (owners[at] === owner) index = at;
    if (index === -1) {
      index = owners.length;
      owners[index] = owner;
      cellsOf[index] = create(null) as Record<PropertyKey, Cell>;
    }
    let value: unknown = found.value;
    const replace = (other: unknown): void => {
      if (other !== value) report(name);
      value = other;
    };
    const get = function (): unknown {
      return value;
    };
    const set = function (this: unknown, other: unknown): void {
      if (this === owner || this === undefined) replace(other);
      else if (typeof this === 'object' ? this !== null : typeof this === 'function')
        defineProperty(this, key, { value: other, writable: true, enumerable: true, configurable: true });
    };
    // `get-intrinsic`, and with it tape, takes the accessor itself for the function unless it finds this property.
    defineProperty(get, 'originalValue', { value });
    cellsOf[index]![key] = { owner, key, name, get, replace };
    defineProperty(owner, key, { get, set, enumerable: found.enumerable === true, configurable: !isFixed });
  }

  function guardAll(owner: unknown, name: string, isFixed = true): void {
    if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return;
    for (const key of ownKeys(owner)) {
      if (key === 'constructor' || key === 'prototype') continue;
      const shown = typeof key === 'symbol' ? `[${apply(nameOfSymbol, key, []) as string}]` : `.${key}`;
      guard(owner, key, name + shown, isFixed);
    }
  }

  function cellOf(owner: unknown, key: PropertyKey): Cell | undefined {
    for (let at = 0; at < owners.length; at++) if (owners[at] === owner) return cellsOf[at]![key];
    return undefined;
  }

  /** True if the definition was of a guarded property, and was done here. */
  function redefined(owner: unknown, key: PropertyKey, given: PropertyDescriptor): boolean {
    const cell = cellOf(owner, key);
    if (cell === undefined) return false;
    if (hasOwn(given, 'value')) cell.replace(given.value);
    else if (given.get !== undefined && given.get !== cell.get) {
      report(cell.name);
      cell.replace(apply(given.get, owner, []));
    }
    return true;
  }

  /** `matchers` and `customEqualityTesters` of Jest's `expect`, or the latter of Vitest's. */
  function watchMatchers(state: Owner, keys = ['matchers', 'customEqualityTesters']): void {
    for (const key of keys) {
      const table = state[key];
      if (typeof table !== 'object' || table === null) continue;
      state[key] = new OwnProxy(table, {
        set(target, name, value, receiver) {
          if (typeof name === 'string' && name !== 'length' && (hasOwn(target, name) || key !== 'matchers'))
            report(key === 'matchers' ? `expect().${name}` : 'the equality testers of expect');
          return assign(target, name, value, receiver === state[key] ? target : receiver);
        },
      });
    }
  }

  /** The prototypes of what Vitest's `expect` returns. */
  function watchExpect(expect: unknown): void {
    try {
      let at: unknown = (expect as (value: unknown) => unknown)(1);
      for (let depth = 0; depth < 4; depth++) {
        at = getPrototypeOf(at) as unknown;
        if (at === null || at === Object.prototype) return;
        guardAll(at, 'expect()', false);
      }
    } catch {
      // An `expect` that cannot be called here cannot be watched.
    }
  }

  /** Vitest shows its equality testers by a getter, as a new object each time. */
  function withWatchedTesters(
    owner: unknown,
    key: PropertyKey,
    given: PropertyDescriptor,
  ): PropertyDescriptor {
    const { get } = given;
    if (owner !== scope || key !== Symbol.for('$$jest-matchers-object') || get === undefined) return given;
    let testers: unknown[] | undefined;
    return {
      ...given,
      get() {
        const shown = apply(get, scope, []) as Owner;
        const { customEqualityTesters: list } = shown;
        if (testers === undefined && OwnArray.isArray(list)) {
          watchMatchers(shown, ['customEqualityTesters']);
          testers = shown['customEqualityTesters'] as unknown[];
        }
        return testers === undefined ? shown : { ...shown, customEqualityTesters: testers };
      },
    };
  }

  /** `jest.retryTimes`: a test that is repeated until it passes. */
  function watchRetries(): void {
    const key = Symbol.for('RETRY_TIMES');
    let times: unknown;
    defineProperty(scope, key, {
      configurable: true,
      enumerable: false,
      get: () => times,
      set(value: unknown) {
        times = value;
        report('the number of retries');
      },
    });
  }

  function watchDefined(owner: unknown, key: PropertyKey, given: PropertyDescriptor): void {
    if (owner !== scope || typeof key !== 'symbol') return;
    if (key === Symbol.for('expect-global')) watchExpect(given.value);
    if (key === Symbol.for('$$jest-matchers-object') && typeof given.value === 'object')
      watchMatchers(given.value as Owner);
  }

  const prototypes = `Object Function Array String Number Boolean Symbol BigInt RegExp Map Set WeakMap WeakSet Promise Error
    Date`;
  for (const name of prototypes.split(/\s+/)) {
    const type = scope[name] as { prototype: object };
    guardAll(type, name);
    guardAll(type.prototype, `${name}.prototype`);
    guard(scope, name, `the global ${name}`, false);
  }
  for (const name of ['JSON', 'Reflect', 'Math']) guardAll(scope[name], name);
  for (const name of ['isNaN', 'isFinite', 'parseInt', 'parseFloat'])
    guard(scope, name, `the global ${name}`, false);
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'])
    guard(scope, name, `the global ${name}`, false);
  for (const [name, owner] of assertions)
    guardAll(owner, name, !/^(process|console|fs|child_process|module|events|stream|Buffer|URL)/.test(name));
  watchRetries();

  const definers: readonly (readonly [object, string, (...given: never[]) => unknown])[] = [
    [
      Object,
      'defineProperty',
      (owner: object, key: PropertyKey, given: PropertyDescriptor) => {
        if (redefined(owner, key, given)) return owner;
        defineProperty(owner, key, withWatchedTesters(owner, key, given));
        watchDefined(owner, key, given);
        return owner;
      },
    ],
    [
      Object,
      'defineProperties',
      (owner: object, given: PropertyDescriptorMap) => {
        for (const key of ownKeys(given)) {
          const one = given[key as string]!;
          if (!redefined(owner, key, one)) defineProperties(owner, { [key]: one });
        }
        return owner;
      },
    ],
    [
      Reflect,
      'defineProperty',
      (owner: object, key: PropertyKey, given: PropertyDescriptor) => {
        if (redefined(owner, key, given)) return true;
        try {
          defineProperty(owner, key, given);
          return true;
        } catch {
          return false;
        }
      },
    ],
  ];
  for (const [owner, key, wrapped] of definers) {
    const real = (owner as Owner)[key] as { name: string; length: number };
    defineProperty(wrapped, 'name', { value: real.name });
    defineProperty(wrapped, 'length', { value: real.length });
    isNoting = true;
    cellOf(owner, key)?.replace(wrapped);
    isNoting = false;
  }

  return {
    trace,
    verify() {
      for (let at = 0; at < owners.length; at++) {
        for (const key of ownKeys(cellsOf[at]!)) {
          const cell = cellsOf[at]![key]!;
          if (getOwnPropertyDescriptor(cell.owner, key)?.get !== cell.get) note(cell.name, '');
        }
      }
    },
  };
}
