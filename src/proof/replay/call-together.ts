import type { Job } from './repeat-program.ts';

type Call = Job['calls'][number];

interface Tools {
  /** Makes ready a call of a function; undefined if it cannot be made so. */
  readonly prepare: (call: Call) => Promise<(() => unknown) | undefined>;
  /** The value of a promise, or of anything else; undefined for a promise that does not settle in time. */
  readonly settled: (result: unknown) => Promise<{ value: unknown } | undefined>;
  readonly textOf: (value: unknown) => string;
}

/**
 * The results of asynchronous functions, by the positions of their calls, while several calls are in flight; errors are left
 * out. Its source text runs in another process, so it must not refer to anything outside of its body.
 */
export async function callTogether(
  calls: readonly Call[],
  { prepare, settled, textOf }: Tools,
): Promise<ReadonlyMap<number, string>> {
  const shown = new Map<number, string>();
  const plain = calls.filter((call) => call.on === undefined && !/"[hc]":/.test(call.args));
  const ready = await Promise.all(
    [...plain, ...plain, ...plain].slice(0, 300).map(async (call) => ({ call, run: await prepare(call) })),
  );
  const ends = ready.map(async ({ call, run }) => {
    const result = run?.();
    if (Object.prototype.toString.call(result) !== '[object Promise]') return;
    const end = await settled(result);
    if (end === undefined) return;
    const text = textOf(end.value);
    if (text !== call.result || !shown.has(call.at)) shown.set(call.at, text);
  });
  await Promise.allSettled(ends);
  return shown;
}
