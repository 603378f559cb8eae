import type { AnyFunction, Session } from './session.ts';

/**
 * Makes functions of a test that record how they are called. Its source text becomes part of a source, so it must not refer
 * to anything outside of its body.
 */
export function recordGiven({ state, isPromise, encodeArgs, put, taint }: Session) {
  const { apply, construct } = Reflect;
  const { getOwnPropertyDescriptors, defineProperties } = Object;
  return function given(fn: AnyFunction, of: number): AnyFunction {
    const known = state.wrappers.get(fn) as AnyFunction | undefined;
    if (known !== undefined) return known;
    const callback = state.callbacks++;
    const { length, name } = fn;
    put({ of, given: callback, length, name });
    const unrecorded = state.unrecorded;
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
      // Two calls that waited for the same callback would be repeated one after the other; a call that is not recorded is not
      // repeated at all.
      const isFromOther = state.next - 1 > of || state.unrecorded > unrecorded;
      if (pending > 0 || (during === undefined && isFromOther)) taint(blamed);
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
}
