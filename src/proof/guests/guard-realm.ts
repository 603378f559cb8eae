import type { watchExpect } from './watch-expect.ts';

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
  watch: typeof watchExpect,
): GuardedRealm {
  const scope = globalThis as unknown as Owner;
  const { defineProperty, defineProperties, getOwnPropertyDescriptor, create, hasOwn } = Object;
  const { apply, ownKeys } = Reflect;
  const { toString: nameOfSymbol } = Symbol.prototype;
  const OwnError = Error as Omit<ErrorConstructor, 'prepareStackTrace'> & {
    new (message: string): Error;
    prepareStackTrace: unknown;
  };
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
  const expectation = watch({ report, guardAll });

  const definers: readonly (readonly [object, string, (...given: never[]) => unknown])[] = [
    [
      Object,
      'defineProperty',
      (owner: object, key: PropertyKey, given: PropertyDescriptor) => {
        if (redefined(owner, key, given)) return owner;
        defineProperty(owner, key, expectation.watched(owner, key, given));
        expectation.noteDefined(owner, key, given);
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
