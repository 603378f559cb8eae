import type { Job } from '../replay/repeat-program.ts';

/** How a call behaves beside its result. */
export interface Behaviour {
  /** Kind of the result: `number`, `Array`, `Promise`, `Set Iterator`, `throws TypeError`. */
  readonly kind: string;
  /** By `encodeValue`: the result, what a promise settles to at once, or a list of what an iterator gives. */
  readonly plain?: string | undefined;
  /** Results of the same call made three more times in a row; none where that is not tried. */
  readonly again: readonly string[];
  /** Whether the result is still the same after further calls of the function. */
  readonly isKept: boolean;
  /** Whether an argument can no longer be changed. */
  readonly freezes: boolean;
  /** Milliseconds in which the call kept everything else waiting, and computed nothing. */
  readonly stopsMs: number;
}

/** Functions of the program that repeats calls, for the observation. */
export interface Tools {
  readonly job: Job;
  /** Makes a call; undefined if it cannot be made. */
  readonly prepare: (call: Job['calls'][number]) => Promise<((args: unknown[]) => unknown) | undefined>;
  readonly decodeArgs: (text: string) => unknown[];
  readonly encodeResult: (value: unknown) => string;
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
  decodeArgs,
  encodeResult,
}: Tools): Promise<[number, string][]> {
  const { stringify } = JSON;
  const clock = performance.now.bind(performance);
  const cpu = process.cpuUsage.bind(process);
  const tick = setImmediate;
  const { EventEmitter } = process.getBuiltinModule('node:events');
  const variables = /^(TZ|LANG|LANGUAGE|LC_\w+|UV_\w+|(HTTPS?|NO|ALL)_PROXY|PATH|HOME|NODE_(?!ENV$)\w+)$/i;

  /** Settings that every module of the process sees. */
  const settings = (): Record<string, string> => {
    const found: Record<string, unknown> = {
      'EventEmitter.defaultMaxListeners': EventEmitter.defaultMaxListeners,
      'Error.stackTraceLimit': Error.stackTraceLimit,
      'the working directory': process.cwd(),
      'process.exitCode': process.exitCode,
      'what becomes of errors that nobody catches': process.listenerCount('uncaughtException'),
      'what becomes of rejections that nobody handles': process.listenerCount('unhandledRejection'),
      'the output of warnings': process.listenerCount('warning'),
    };
    for (const key in []) found[`the enumerable member ${key} of every array`] = 1;
    for (const key in {}) found[`the enumerable member ${key} of every object`] = 1;
    for (const [name, value] of Object.entries(process.env))
      if (variables.test(name)) found[`process.env.${name}`] = value;
    const loaded = (process as unknown as { moduleLoadList?: string[] }).moduleLoadList ?? [];
    if (loaded.includes('NativeModule https')) {
      const { rejectUnauthorized } = process.getBuiltinModule('node:https').globalAgent.options;
      found['https.globalAgent.options.rejectUnauthorized'] = rejectUnauthorized;
    }
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
  };

  const before = settings();
  type Found = { -readonly [Key in keyof Behaviour]: Behaviour[Key] };
  const results: [number, Found][] = [];
  const kept: { readonly value: unknown; readonly text: string; readonly found: Found }[] = [];
  const kindOf = (value: unknown): string => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
      return value === null ? 'null' : typeof value;
    return Object.prototype.toString.call(value).slice(8, -1);
  };
  const isFrozen = (args: unknown[]): boolean =>
    args.some((it) => typeof it === 'object' && it !== null && Object.isFrozen(it));
  /** The value of a promise that settles without anything else to happen; undefined for another one. */
  const atOnce = async (value: Promise<unknown>): Promise<{ value: unknown } | undefined> => {
    let end: { value: unknown } | undefined;
    value.then(
      (it) => (end = { value: it }),
      () => undefined,
    );
    for (let at = 0; at < 20; at++) await undefined;
    return end;
  };
  const itemsOf = (value: Iterable<unknown>): unknown[] => {
    const items: unknown[] = [];
    for (const item of value) if (items.push(item) === 500) break;
    return items;
  };
  const plainOf = async (value: unknown): Promise<string | undefined> => {
    if (kindOf(value) !== 'Promise')
      return encodeResult(/Iterator$|^Generator$/.test(kindOf(value)) ? itemsOf(value as []) : value);
    const end = await atOnce(value as Promise<unknown>);
    return end && encodeResult(end.value);
  };
  const attempt = async (run: () => unknown): Promise<string> => {
    try {
      return encodeResult(await run());
    } catch (error) {
      return `throws ${String((error as Error | undefined)?.name)}`;
    }
  };

  for (const call of job.calls) {
    const make = await prepare(call).catch(() => undefined);
    if (make === undefined) continue;
    const args = decodeArgs(call.args);
    const wasFrozen = isFrozen(args);
    const [start, used] = [clock(), cpu()];
    let value: unknown;
    let kind: string | undefined;
    try {
      value = make(args);
    } catch (error) {
      kind = `throws ${String((error as Error | undefined)?.name)}`;
    }
    const [tookMs, { user, system }] = [clock() - start, cpu(used)];
    const isIdle = (user + system) / 1000 < tookMs / 2;
    const found: Found = {
      kind: kind ?? kindOf(value),
      plain: kind === undefined ? await plainOf(value).catch(() => undefined) : undefined,
      again: [],
      isKept: true,
      freezes: !wasFrozen && isFrozen(args),
      stopsMs: isIdle ? Math.round(tookMs) : 0,
    };
    if (job.observed?.repeatable.includes(call.at) === true)
      for (let at = 0; at < 3; at++)
        found.again = [...found.again, await attempt(() => make(decodeArgs(call.args)))];
    if (/^(Array|Object|Map|Set)$/.test(found.kind) && found.plain !== undefined)
      kept.push({ value, text: found.plain, found });
    results.push([call.at, found]);
  }
  for (const call of job.fillers) {
    const make = await prepare(call).catch(() => undefined);
    if (make !== undefined) await attempt(() => make(decodeArgs(call.args)));
  }
  for (const { value, text, found } of kept) found.isKept = (await attempt(() => value)) === text;
  await new Promise((done) => tick(done));
  const after = settings();
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => before[name] !== after[name]);
  return [
    ...results.map(([at, found]): [number, string] => [at, stringify(found)]),
    [-1, stringify(changed)],
  ];
}
