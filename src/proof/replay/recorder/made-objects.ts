import type { AnyFunction, Handle, Session } from './session.ts';

/** A function whose calls are recorded. */
export interface Wrapped {
  readonly name: string;
  readonly fn: AnyFunction;
  readonly kind?: 'get' | 'set';
  /** For a function that a call returned. */
  readonly handle?: Handle;
  /** True for an export of the source. */
  readonly isExport?: boolean;
}

/**
 * Makes the calls on objects and functions that recorded calls return recordable. Its source text becomes part of a source,
 * so it must not refer to anything outside of its body.
 */
export function recordMade(
  { state, kindOf, isNative, isClass, isPromise, isObject, look }: Session,
  wrap: (wrapped: Wrapped) => unknown,
) {
  const { ownKeys } = Reflect;
  const { getPrototypeOf, getOwnPropertyDescriptor, defineProperty } = Object;
  const { EventEmitter } = process.getBuiltinModule('node:events');
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
    const kind = kindOf(value);
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
      if (at !== value && (typeof type !== 'function' || isNative(type))) return false;
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

  return { follow, patch, patchOwn };
}
