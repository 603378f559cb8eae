/** Loaded into the test process: the assertions of tape and tap under all their names. */
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';

type Predicate = (...args: never[]) => boolean | Promise<boolean>;

/** Each assertion and its names. Sources: https://github.com/tape-testing/tape#methods, https://node-tap.org/api/ */
const TABLE: readonly (readonly [names: string, holds: Predicate])[] = [
  ['pass', () => true],
  ['fail', () => false],
  ['ok true assert', Boolean],
  ['notOk notok false assertNot error ifError ifErr iferror', (value: unknown) => !value],
  ['equal equals is isEqual strictEqual strictEquals', isSame],
  [
    'not notEqual notEquals inequal isNot isNotEqual doesNotEqual notStrictEqual notStrictEquals isInequal',
    (one: unknown, two: unknown) => !isSame(one, two),
  ],
  ['looseEqual looseEquals', isLooselyEqual],
  ['notLooseEqual notLooseEquals', (one: unknown, two: unknown) => !isLooselyEqual(one, two)],
  ['deepEqual deepEquals isEquivalent strictSame isDeeply strictDeepEqual', isDeepStrictEqual],
  [
    'notDeepEqual notDeepEquals notEquivalent notDeeply isNotDeepEqual isNotEquivalent strictNotSame',
    (one: unknown, two: unknown) => !isDeepStrictEqual(one, two),
  ],
  ['same deepLooseEqual looseDeepEqual', isLooselyDeepEqual],
  ['notSame notDeepLooseEqual', (one: unknown, two: unknown) => !isLooselyDeepEqual(one, two)],
  ['throws', throws],
  ['doesNotThrow notThrow', (call: () => unknown) => !throws(call)],
  ['rejects', rejects],
  ['resolves', async (value: Awaitable) => !(await rejects(value))],
  [
    'resolveMatch resolvesMatch',
    async (value: Awaitable, pattern: unknown) => matches(await promiseOf(value), pattern),
  ],
  ['match matches has hasStrict hasProps', matches],
  ['doesNotMatch notMatch', (value: unknown, pattern: unknown) => !matches(value, pattern)],
  ['type isA', isOfType],
];

const BY_NAME = new Map(TABLE.flatMap(([names, holds]) => names.split(' ').map((name) => [name, holds])));

/** Whether an assertion holds for its arguments. Throws what a call that it makes throws, unless it expects that. */
export type Assertion = (...args: readonly unknown[]) => boolean | Promise<boolean>;

/** The assertion of a name; undefined for other names. */
export function assertionOf(name: string): Assertion | undefined {
  return BY_NAME.get(name) as Assertion | undefined;
}

type Awaitable = PromiseLike<unknown> | (() => PromiseLike<unknown>);

function promiseOf(value: Awaitable): PromiseLike<unknown> {
  return typeof value === 'function' ? value() : value;
}

/** As `==`. */
function isLooselyEqual(one: unknown, two: unknown): boolean {
  return holds(() => assert.equal(one, two, DIFFERS));
}

function isLooselyDeepEqual(one: unknown, two: unknown): boolean {
  return holds(() => assert.deepEqual(one, two, DIFFERS));
}

/** Without a message of ours, a difference would be described at great cost. */
const DIFFERS = 'differs';

function holds(assertion: () => void): boolean {
  try {
    assertion();
    return true;
  } catch {
    return false;
  }
}

/** As `===`, with NaN equal to itself. */
function isSame(one: unknown, two: unknown): boolean {
  return one === two || Object.is(one, two);
}

function throws(call: () => unknown, expected?: unknown): boolean {
  try {
    call();
  } catch (error) {
    return isExpected(error, expected);
  }
  return false;
}

async function rejects(value: Awaitable, expected?: unknown): Promise<boolean> {
  try {
    await promiseOf(value);
  } catch (error) {
    return isExpected(error, expected);
  }
  return false;
}

/** A text behind the function is the assertion's message. */
function isExpected(error: unknown, expected: unknown): boolean {
  if (expected === undefined || expected === null || typeof expected === 'string') return true;
  if (expected instanceof RegExp) return expected.test(String(error));
  if (typeof expected !== 'function') return matches(error, expected);
  if (expected === Error || expected.prototype instanceof Error)
    return error instanceof (expected as typeof Error);
  return Boolean((expected as (error: unknown) => unknown)(error));
}

/** Whether a value has all that a pattern asks for: text by part or expression, objects by their members. */
function matches(value: unknown, pattern: unknown): boolean {
  if (isSame(value, pattern)) return true;
  if (pattern instanceof RegExp) {
    return value instanceof RegExp ? String(value) === String(pattern) : pattern.test(String(value));
  }
  if (typeof pattern === 'string') return typeof value === 'string' && value.includes(pattern);
  if (typeof pattern === 'function') return isOfType(value, pattern);
  if (typeof pattern !== 'object' || pattern === null) return isLooselyEqual(value, pattern);
  if (typeof value !== 'object' || value === null) return false;
  const members = pattern instanceof Error ? ['message', ...Object.keys(pattern)] : Object.keys(pattern);
  return members.every((name) =>
    matches((value as Record<string, unknown>)[name], (pattern as Record<string, unknown>)[name]),
  );
}

function isOfType(value: unknown, type: unknown): boolean {
  if (typeof type === 'function') return Object(value) instanceof type;
  const name = String(type);
  return typeof value === name || (value === null && name === 'null') || value?.constructor?.name === name;
}
