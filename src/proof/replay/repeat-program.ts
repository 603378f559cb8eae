import type NodeModule from 'node:module';
import type { acceptModules } from './accept-modules.ts';
import type { appearInUse, Place } from './appear-in-use.ts';
import type { callInUse, Use } from './call-in-use.ts';
import type { callTogether } from './call-together.ts';
import type { decodeValue, encodeValue } from './call-values.ts';
import type { observeCalls, Tools } from '../unasked/observe.ts';
import type { Circumstances, RepeatableCall } from './repeat-calls.ts';
import type { setClock } from './set-clock.ts';
import type { makeStandIns } from './stand-ins.ts';

/** What the repeating program is asked to do. */
export interface Job extends Omit<Circumstances, 'packed'> {
  readonly out: string;
  /** For the product in use. */
  readonly place?: Place | undefined;
  /** Absolute path of a copy of the repository below `node_modules`. */
  readonly copy?: string | undefined;
  readonly calls: readonly (RepeatableCall & { readonly url: string })[];
  /** Calls with other arguments, whose results do not matter: what the code remembers of them must not change the others. */
  readonly fillers: readonly (RepeatableCall & { readonly url: string })[];
}

/** What the repeating program is given by its process. */
export interface Given {
  readonly functions: {
    readonly encode: typeof encodeValue;
    readonly decode: typeof decodeValue;
    readonly appear: typeof appearInUse;
    readonly observe: typeof observeCalls;
    readonly accept: typeof acceptModules;
    readonly useAll: typeof callInUse;
    readonly makeStandIns: typeof makeStandIns;
    readonly setClock: typeof setClock;
    readonly callTogether: typeof callTogether;
  };
  /** For the observation. */
  readonly looks: Tools['parts'];
  readonly module: typeof NodeModule;
  readonly load: (url: string) => Promise<unknown>;
}

/** The program of the other process. It must not refer to anything outside of its body. */
export function callAll({
  functions: { encode, decode, appear, observe, accept, useAll, makeStandIns, setClock, callTogether },
  looks,
  module,
  load: importModule,
}: Given): void {
  const fs = process.getBuiltinModule('node:fs');
  const job = JSON.parse(fs.readFileSync(0, 'utf8')) as Job;
  const { stringify } = JSON;
  const { apply, construct } = Reflect;
  const wait = setTimeout;
  const { exit } = process;
  const RealDate = Date;
  // Another number in each process: a result with the process id in it agrees with none, and is not compared.
  Object.defineProperty(process, 'pid', {
    value: 10_000 + Math.floor(Math.random() * 30_000),
    enumerable: true,
  });
  if (job.place !== undefined) appear(job.place);
  const keepClockAt = setClock(job);
  accept(module, job.copy);

  /** Undefined for a promise that does not settle in time. */
  const settled = async (result: unknown): Promise<{ value: unknown } | undefined> => {
    if (Object.prototype.toString.call(result) !== '[object Promise]') return { value: result };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = wait(resolve, 2_000, undefined)));
    try {
      return await Promise.race([(result as Promise<unknown>).then((value) => ({ value })), late]);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Reads objects again, some time later. */
  let isLooking = false;
  const standIns = makeStandIns(job, { encode, decode, wait });
  const tryEncode = (value: unknown): string => {
    try {
      return encode(value, true);
    } catch (error) {
      if ((typeof value !== 'object' || value === null) && typeof value !== 'function') throw error;
      return standIns.opaque;
    }
  };
  const SYMBOLS: Readonly<Record<string, PropertyKey>> = {
    '@@iterator': Symbol.iterator,
    '@@asyncIterator': Symbol.asyncIterator,
  };
  interface Target {
    readonly self: unknown;
    readonly value: unknown;
    readonly key: PropertyKey;
  }
  const targetOf = async ({ on, name, url, kind }: Job['calls'][number]): Promise<Target | undefined> => {
    if (on !== undefined) {
      const self = standIns.madeBy(on);
      if (self === undefined) return undefined;
      const key = SYMBOLS[name] ?? name;
      const isAccess = kind === 'get' || kind === 'set';
      return {
        self,
        key,
        value: name === '' ? self : isAccess ? undefined : (self as Record<PropertyKey, unknown>)[key],
      };
    }
    const loaded = (await importModule(url)) as Record<string, unknown>;
    const common = loaded['module.exports'] ?? (name in loaded ? undefined : loaded['default']);
    const owner = (common ?? loaded) as Record<string, unknown>;
    const value = name === 'module.exports' ? common : owner[name];
    return { self: common === undefined || common === value ? undefined : owner, value, key: name };
  };
  const perform = (call: Job['calls'][number], { self, value, key }: Target, args: unknown[]): unknown => {
    if (call.kind === 'value') return value;
    if (call.kind === 'get') return (self as Record<PropertyKey, unknown>)[key];
    if (call.kind === 'set') return void ((self as Record<PropertyKey, unknown>)[key] = args[0]);
    if (call.kind === 'new') return construct(value as new () => unknown, args) as unknown;
    return apply(value as () => unknown, self, args);
  };

  const repeat = async (call: Job['calls'][number]): Promise<string | undefined> => {
    const target = await targetOf(call);
    if (target === undefined) return undefined;
    const isCall = call.kind === undefined || call.kind === 'call' || call.kind === 'new';
    if (isCall && typeof target.value !== 'function') return undefined;
    if (job.isClockKept === true) keepClockAt(call.clock);
    let end: { value: unknown } | undefined;
    const args = standIns.argsOf(call.args);
    /** What the call did to its arguments belongs to its result. */
    const withArgs = (shown: string): string => {
      if (!isCall) return shown;
      const after = standIns.textOfArgs(args);
      return after === call.args ? shown : `${shown}\nargs ${after}`;
    };
    try {
      end = await settled(standIns.during(call.at, () => perform(call, target, args)));
    } catch (error) {
      return withArgs(`throws ${String((error as Error | undefined)?.name)}`);
    }
    if (end === undefined) return undefined;
    const { value } = end;
    // Before the result gets a name: it may be one of the arguments.
    const changedArgs = withArgs('');
    standIns.know(call.at, value);
    const shown = tryEncode(value);
    if (!isLooking || typeof value !== 'object' || value === null) return shown + changedArgs;
    await new Promise((done) => wait(done, 5));
    const late = Array.from({ length: 4 }, () => tryEncode(value)).at(-1)!;
    standIns.forget(call.at);
    const shownLate = withArgs(late);
    standIns.know(call.at, value);
    return shownLate;
  };

  const results: [number, string][] = [];
  const write = fs.writeFileSync;
  // A listener could be seen by the code.
  const emit = process.emit.bind(process) as (event: string, ...given: unknown[]) => boolean;
  process.emit = ((event: string, ...given: unknown[]) => {
    if (event === 'exit') write(job.out, stringify(results));
    return emit(event, ...given);
  }) as typeof process.emit;
  const round = async (): Promise<(readonly [number, string])[]> => {
    standIns.begin();
    const plain: [Job['calls'][number], string][] = [];
    for (const call of job.calls) {
      const result = await repeat(call).catch(() => undefined);
      if (result !== undefined) plain.push([call, result]);
    }
    const awaited = job.calls.reduce((sum, { late = 0 }) => sum + late, 0);
    const until = RealDate.now() + 1_000;
    while (standIns.lateEvents() < awaited && RealDate.now() < until)
      await new Promise((done) => wait(done, 5));
    return plain.map(([call, result]) => [call.at, [result, ...standIns.eventsOf(call)].join('\n')] as const);
  };
  const observed = (): Promise<[number, string][]> =>
    observe({
      job,
      prepare: async (call) => {
        const target = await targetOf(call);
        const isMade = call.kind === 'value' || typeof target?.value === 'function';
        return target && isMade ? (args) => perform(call, target, args) : undefined;
      },
      decodeArgs: standIns.argsOf,
      encodeResult: (value) => encode(value, true),
      load: importModule,
      know: standIns.know,
      keep: (found) => write(job.out, stringify(found)),
      parts: looks,
    });
  const use: Use = {
    round,
    together: () =>
      callTogether(job.calls, {
        prepare: async (call) => {
          const target = await targetOf(call);
          if (typeof target?.value !== 'function' || call.kind === 'new') return undefined;
          return () => perform(call, target, standIns.argsOf(call.args));
        },
        settled,
        textOf: tryEncode,
      }),
    fill: async () => {
      for (const call of job.fillers) await repeat(call).catch(() => undefined);
    },
    lookLater: (isLater) => (isLooking = isLater),
    keep: (found) => write(job.out, stringify(found)),
    nowMs: RealDate.now.bind(RealDate),
    wait,
  };
  void (async () => {
    const all = job.observed === undefined ? (job.isInUse === true ? useAll(use) : round()) : observed();
    for (const [at, result] of await all) results.push([at, result]);
    exit(0);
  })();
}
