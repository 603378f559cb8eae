import type { Job } from '../replay/repeat-program.ts';
import type { Behaviour } from './behaviour.ts';
import type { lookAtValues } from './look-at-values.ts';
import type { processSettings } from './process-settings.ts';
import type { watchEffects } from './watch-effects.ts';

/** Calls that are observed in special ways, by their positions. */
export interface Observed {
  /** Calls that can be made several times. */
  readonly repeatable: readonly number[];
  /** Calls that no test makes. */
  readonly probes: readonly number[];
}

/** Functions of the program that repeats calls, for the observation. */
export interface Tools {
  readonly job: Pick<Job, 'calls' | 'fillers' | 'observed'>;
  /** Makes a call; undefined if it cannot be made. */
  readonly prepare: (call: Job['calls'][number]) => Promise<((args: unknown[]) => unknown) | undefined>;
  readonly load: (url: string) => Promise<unknown>;
  readonly decodeArgs: (text: string) => unknown[];
  readonly encodeResult: (value: unknown) => string;
  /** Makes a result known to the calls that are given it. */
  readonly know: (at: number, value: unknown) => void;
  /** Keeps what is known so far. */
  readonly keep: (found: readonly (readonly [number, string])[]) => void;
  readonly parts: readonly [typeof lookAtValues, typeof watchEffects, typeof processSettings];
}

/** Position of the text with what the sources changed for the whole process. */
export const SETTINGS_AT = -1;

/**
 * The behaviour of calls, as texts by their positions, and under `SETTINGS_AT` what they changed for the whole process. It
 * must not refer to anything outside of its body: its source text runs in another process.
 */
export async function observeCalls({
  job,
  prepare,
  load,
  decodeArgs,
  encodeResult,
  know,
  keep,
  parts: [look, watch, settings],
}: Tools): Promise<[number, string][]> {
  const PROBE_MS = 700;
  const { stringify } = JSON;
  const clock = performance.now.bind(performance);
  const cpu = process.cpuUsage.bind(process);
  const tick = setImmediate;
  const { Script } = process.getBuiltinModule('node:vm');
  const { kindOf, methodsOf, membersOf, alter, disturb, partsIn, classesOf, isMade, tellsOf } = look();
  const before = settings();
  const effects = watch();
  type Found = { -readonly [Key in keyof Behaviour]: Behaviour[Key] };
  const results: [number, Found][] = [];
  const kept: {
    readonly value: unknown;
    readonly text: string;
    readonly found: Found;
    readonly remake: (() => unknown) | undefined;
  }[] = [];
  const isFrozen = (args: unknown[]): boolean =>
    args.some((it) => typeof it === 'object' && it !== null && Object.isFrozen(it));
  const isOnce = (kind: string): boolean => /Iterator|^Generator$/.test(kind);
  /** How a promise ends without anything else to happen; undefined for another one. */
  const atOnce = async (
    value: Promise<unknown>,
  ): Promise<{ value?: unknown; error?: unknown } | undefined> => {
    let end: { value?: unknown; error?: unknown } | undefined;
    value.then(
      (it) => (end = { value: it }),
      (error: unknown) => (end = { error }),
    );
    for (let at = 0; at < 20; at++) await undefined;
    return end;
  };
  const itemsOf = (value: Iterable<unknown>): unknown[] => {
    const items: unknown[] = [];
    for (const item of value) if (items.push(item) === 500) break;
    return items;
  };
  const shown = (value: unknown): string | undefined => {
    try {
      return encodeResult(isOnce(kindOf(value)) ? itemsOf(value as []) : value);
    } catch {
      return undefined;
    }
  };
  const attempt = async (run: () => unknown): Promise<string> => {
    try {
      return encodeResult(await run());
    } catch (error) {
      return `throws ${String((error as Error | undefined)?.name)}`;
    }
  };
  const limited = new Script('globalThis.observedCall()');
  /** Ends the call if it takes too long. */
  const inTime = (value: () => unknown): unknown => {
    Object.defineProperty(globalThis, 'observedCall', { value, configurable: true });
    try {
      return limited.runInThisContext({ timeout: PROBE_MS });
    } finally {
      delete (globalThis as { observedCall?: unknown }).observedCall;
    }
  };

  const removePolluted = (): boolean => {
    const isPolluted = 'qzPolluted' in {};
    delete (Object.prototype as { qzPolluted?: unknown }).qzPolluted;
    return isPolluted;
  };

  const observeOne = async (
    call: Job['calls'][number],
    make: (args: unknown[]) => unknown,
  ): Promise<{ readonly found: Found; readonly value: unknown }> => {
    const isProbe = job.observed?.probes.includes(call.at) === true;
    const args = decodeArgs(call.args);
    const wasFrozen = isFrozen(args);
    let value: unknown;
    let failed: { readonly error: unknown } | undefined;
    const [start, used] = [clock(), cpu()];
    try {
      value = isProbe ? inTime(() => make(args)) : make(args);
    } catch (error) {
      failed = { error };
    }
    const [tookMs, { user, system }] = [clock() - start, cpu(used)];
    const computesMs = (user + system) / 1000;
    const { code, name } = (failed?.error ?? {}) as { code?: string; name?: string };
    const isEnded = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const kind = failed === undefined ? kindOf(value) : `throws ${String(name)}`;
    let text = failed === undefined && kind !== 'Promise' ? shown(value) : undefined;
    if (kind === 'Promise') {
      const end = await atOnce(value as Promise<unknown>);
      if (end !== undefined && 'error' in end) failed = { error: end.error };
      else if (end !== undefined) text = shown(end.value);
    }
    const found: Found = {
      kind,
      plain: text,
      thrown: failed && {
        classes: classesOf(failed.error),
        isMade: !isEnded && isMade(failed.error),
        tells: tellsOf(failed.error, encodeResult),
      },
      again: [],
      isKept: true,
      isShared: false,
      freezes: !wasFrozen && isFrozen(args),
      isFixed: typeof value === 'object' && value !== null && !Object.isExtensible(value),
      pollutes: removePolluted(),
      isStale: false,
      parts: partsIn(value, args, encodeResult),
      methods: methodsOf(value),
      effects: [],
      stopsMs: computesMs < tookMs / 2 ? Math.round(tookMs) : 0,
      computesMs: Math.round(computesMs),
      isEnded,
    };
    return { found, value };
  };
  const isStale = async (args: string, make: (given: unknown[]) => unknown): Promise<boolean> => {
    const [same, other] = [decodeArgs(args), decodeArgs(args)];
    await attempt(() => make(same));
    // A call that changes its arguments returns something else for them on purpose.
    if (encodeResult(same) !== encodeResult(other)) return false;
    const isAltered = [same, other].map((given) => given.some((it) => alter(it)));
    // An argument that the call froze keeps its content.
    if (encodeResult(same) !== encodeResult(other)) return false;
    return isAltered[0] === true && (await attempt(() => make(same))) !== (await attempt(() => make(other)));
  };
  const texts = (): [number, string][] =>
    results.map(([at, found]): [number, string] => [at, stringify(found)]);

  let ended = 0;
  for (const call of job.calls) {
    const isProbe = job.observed?.probes.includes(call.at) === true;
    if (isProbe && ended > 1) continue;
    effects.take();
    const listened = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const make = await prepare(call).catch(() => undefined);
    if (make === undefined) continue;
    const { found, value } = await observeOne(call, make);
    results.push([call.at, found]);
    if (found.isEnded) ended++;
    if (isProbe) continue;
    know(call.at, value);
    if (call.kind === 'value') found.methods = membersOf(await load(call.url).catch(() => undefined));
    const isRepeatable = job.observed?.repeatable.includes(call.at) === true;
    if (isRepeatable) {
      for (let at = 0; at < 3; at++)
        found.again = [...found.again, await attempt(() => make(decodeArgs(call.args)))];
      if (found.thrown === undefined) found.isStale = await isStale(call.args, make).catch(() => false);
      else if ((await observeOne(call, make)).found.thrown?.tells !== found.thrown.tells)
        found.thrown = { ...found.thrown, tells: undefined };
    }
    found.effects = effects.take();
    const listens = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    if (listens - listened > 2) found.effects = [...found.effects, 'adds a listener to the process'];
    // What await makes of such an object is another value.
    const isAwaited = typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
    if (/^(Array|Object|Map|Set)$/.test(found.kind) && found.plain !== undefined && !isAwaited) {
      const remake = isRepeatable ? (): unknown => make(decodeArgs(call.args)) : undefined;
      kept.push({ value, text: found.plain, found, remake });
    }
    keep(texts());
  }
  for (const call of job.fillers) {
    const make = await prepare(call).catch(() => undefined);
    if (make !== undefined) await attempt(() => make(decodeArgs(call.args)));
  }
  for (const { value, text, found } of kept) found.isKept = (await attempt(() => value)) === text;
  for (const { text, found, remake } of kept) {
    if (remake === undefined || (await attempt(remake)) !== text) continue;
    disturb(remake());
    found.isShared = (await attempt(remake)) !== text;
  }
  await new Promise((done) => tick(done));
  effects.stop();
  const after = settings();
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => before[name] !== after[name]);
  return [...texts(), [-1, stringify(changed)]];
}
