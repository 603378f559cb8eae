/** Loaded into the test process: guards against tested code that hangs, exits or replaces global functions. */
import { Script } from 'node:vm';

/** A function of the tested code. */
export type Call = (this: unknown, ...args: unknown[]) => unknown;

/** Thrown into code that ran out of time. */
export class TimeUp extends Error {}

/** The real monotonic clock, in milliseconds, which fake timers of tests do not replace. */
export const now = performance.now.bind(performance);

const watched = new Script('globalThis.__ralphCall()');

/**
 * Calls a function and returns its result. The engine interrupts the synchronous part after `limitMs` with an error
 * that `isTimeUp` recognises, even in an empty endless loop or a runaway regular expression.
 */
export function runWatched<T>(call: () => T, limitMs: number): T {
  const main = globalThis as { __ralphCall?: () => T };
  main.__ralphCall = call;
  return watched.runInThisContext({ timeout: Math.max(1, Math.ceil(limitMs)), displayErrors: false }) as T;
}

/** Gives a replacement the source text of the original, from which runners read the fixtures that a test uses. */
export function standIn(original: Call, replacement: Call): Call {
  return Object.assign(replacement, { toString: () => Function.prototype.toString.call(original) });
}

const HOUR_MS = 3_600_000;

/**
 * Lifts the time limit of mocha, whose test has it on its `this`, and of AVA, whose test gets it with its first argument.
 * Does nothing under other runners.
 */
export function liftTimeout(self: unknown, [first]: readonly unknown[]): void {
  setTimeoutOf(self, 0);
  if (isAvaObject(first)) setTimeoutOf(first, HOUR_MS);
}

function setTimeoutOf(holder: unknown, ms: number): void {
  const { timeout } = (holder ?? {}) as { timeout?: unknown };
  if (typeof timeout === 'function') timeout.call(holder, ms);
}

function isAvaObject(value: unknown): boolean {
  return typeof (value as { notThrowsAsync?: unknown } | undefined | null)?.notThrowsAsync === 'function';
}

/** Makes the realm's `process.exit` throw until the returned function is called. */
export function forbidExit({ process: tested }: { process?: { exit?: unknown } }): () => void {
  if (tested === undefined) return () => {};
  const exit = tested.exit;
  tested.exit = () => {
    throw new Error('process.exit');
  };
  return () => {
    tested.exit = exit;
  };
}

/** Whether a value can be called. */
export function isCall(value: unknown): value is Call {
  return typeof value === 'function';
}

/** Whether a value has a `then` method, as promises do. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Whether an error was thrown because code ran out of time. */
export function isTimeUp(error: unknown): boolean {
  return (
    error instanceof TimeUp || (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** An error as `name: message`, to compare the outcomes of two runs. */
export function describeError(error: unknown): string {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return message === undefined ? String(error) : `${String(name)}: ${String(message)}`;
}
