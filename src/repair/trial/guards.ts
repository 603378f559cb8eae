/** Guards around code that may hang, exit or replace what it likes; loaded in the test process. */
import { Script } from 'node:vm';

/** Any function of the tested code. */
export type Call = (this: unknown, ...args: unknown[]) => unknown;

/** Thrown into code that ran too long. */
export class TimeUp extends Error {}

/** The real clock, in milliseconds: tests put false ones in its place. */
export const now = performance.now.bind(performance);

const watched = new Script('globalThis.__ralphCall()');

/**
 * Calls and returns; the synchronous part is cut off after the limit with an error that `isTimeUp` knows. The
 * engine ends even an empty endless loop or a runaway regular expression, which no code in the loop could.
 */
export function runWatched<T>(call: () => T, limitMs: number): T {
  const main = globalThis as { __ralphCall?: () => T };
  main.__ralphCall = call;
  return watched.runInThisContext({ timeout: Math.max(1, Math.ceil(limitMs)), displayErrors: false }) as T;
}

/** Runners read fixtures from the text of the function, so the stand-in shows the text of what it stands for. */
export function standIn(original: Call, replacement: Call): Call {
  return Object.assign(replacement, { toString: () => Function.prototype.toString.call(original) });
}

/** mocha's own limit, where the test's context has one. */
export function liftTimeout(self: unknown): void {
  const context = self as { timeout?: unknown } | undefined | null;
  if (typeof context?.timeout === 'function') (context.timeout as (ms: number) => void)(0);
}

/** Makes `process.exit` throw until the returned function is called. */
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

/** Whether a value is waited for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Whether an error says that something ran too long. */
export function isTimeUp(error: unknown): boolean {
  return (
    error instanceof TimeUp || (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** How an error reads, for telling two endings apart. */
export function describeError(error: unknown): string {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return message === undefined ? String(error) : `${String(name)}: ${String(message)}`;
}
