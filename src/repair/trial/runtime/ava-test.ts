/** Loaded into the test process: runs a test of ava, whose assertions throw only from version 6 on. */
import { isDeepStrictEqual } from 'node:util';
import { isCall, isThenable } from './guards.ts';

type Assertion = (...args: unknown[]) => unknown;

/** Whether a value is the object that ava passes to a test. */
export function isAvaContext(value: unknown): value is object {
  const { deepEqual, notThrowsAsync, falsy, teardown } = (value ?? {}) as Record<string, unknown>;
  return isCall(deepEqual) && isCall(notThrowsAsync) && isCall(falsy) && isCall(teardown);
}

/**
 * A stand-in for ava's object whose assertions throw where they fail. A runner's own assertion says so by what it returns: ava
 * 4 and later return false, and `throws` of every version returns no error. The others of ava 3 are judged here.
 */
export function avaStandIn(context: object): object {
  let count = 0;
  return new Proxy(context, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (!isCall(value)) return value;
      if (typeof name !== 'string' || !ASSERTIONS.has(name)) return value.bind(target);
      const check: Assertion = (...args) => {
        count++;
        return judged(name, count, args, (given) => Reflect.apply(value, target, given));
      };
      return Object.assign(check, { skip: () => true });
    },
  });
}

const JUDGES: Readonly<Record<string, (...args: never[]) => boolean>> = {
  is: (actual: unknown, expected: unknown) => Object.is(actual, expected),
  not: (actual: unknown, expected: unknown) => !Object.is(actual, expected),
  deepEqual: (actual: unknown, expected: unknown) => isDeepStrictEqual(actual, expected),
  notDeepEqual: (actual: unknown, expected: unknown) => !isDeepStrictEqual(actual, expected),
  true: (actual: unknown) => actual === true,
  false: (actual: unknown) => actual === false,
  truthy: Boolean,
  falsy: (actual: unknown) => !actual,
  assert: Boolean,
  regex: (text: string, pattern: RegExp) => text.search(pattern) !== -1,
  notRegex: (text: string, pattern: RegExp) => text.search(pattern) === -1,
  fail: () => false,
};
const THROWING = new Set(['throws', 'throwsAsync']);
const NOT_THROWING = new Set(['notThrows', 'notThrowsAsync']);
const ASSERTIONS = new Set([...Object.keys(JUDGES), ...THROWING, ...NOT_THROWING, 'like']);

function judged(name: string, number: number, args: unknown[], call: (args: unknown[]) => unknown): unknown {
  const watched = watchedCall(args[0]);
  const result = call(NOT_THROWING.has(name) ? [watched.call, ...args.slice(1)] : args);
  const settle = (value: unknown): unknown => {
    const isFailed =
      value === false ||
      (THROWING.has(name) && value === undefined) ||
      (NOT_THROWING.has(name) && watched.hasThrown()) ||
      (value === undefined && Object.hasOwn(JUDGES, name) && !JUDGES[name]!(...(args as never[])));
    if (isFailed) throw new Error(`assertion ${number}: ${name}`);
    return value;
  };
  return isThenable(result) ? result.then(settle) : settle(result);
}

/** A call, or a promise, that tells whether it threw or rejected. */
function watchedCall(call: unknown): { readonly call: unknown; hasThrown(): boolean } {
  let hasThrown = false;
  const noted = (error: unknown): never => {
    hasThrown = true;
    throw error;
  };
  const watched = (value: unknown): unknown => (isThenable(value) ? value.then(undefined, noted) : value);
  const run = (): unknown => {
    try {
      return watched((call as () => unknown)());
    } catch (error) {
      return noted(error);
    }
  };
  return { call: isCall(call) ? run : watched(call), hasThrown: () => hasThrown };
}
