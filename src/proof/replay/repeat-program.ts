import type NodeModule from 'node:module';
import type { acceptModules } from './accept-modules.ts';
import type { appearInUse, Place } from './appear-in-use.ts';
import type { callInUse, Use } from './call-in-use.ts';
import type { decodeValue, encodeValue } from './call-values.ts';
import type { observeCalls, Tools } from '../unasked/observe.ts';
import type { Circumstances, RepeatableCall } from './repeat-calls.ts';

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
  readonly functions: readonly [
    typeof encodeValue,
    typeof decodeValue,
    typeof appearInUse,
    typeof observeCalls,
    typeof acceptModules,
    typeof callInUse,
  ];
  /** For the observation. */
  readonly looks: Tools['parts'];
  readonly module: typeof NodeModule;
  readonly load: (url: string) => Promise<unknown>;
}

/** The program of the other process. It must not refer to anything outside of its body. */
export function callAll({
  functions: [encode, decode, appear, observe, accept, useAll],
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
  let shownMs = (): number => RealDate.now() + (job.aheadMs ?? 0);
  if (job.aheadMs !== undefined || job.isClockKept === true) {
    globalThis.Date = class extends RealDate {
      constructor(...given: []) {
        super(...(given.length === 0 ? ([shownMs()] as unknown as []) : given));
      }
      static override now(): number {
        return shownMs();
      }
    } as DateConstructor;
  }

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
  const OPAQUE = '{"h":true}';
  /** Positions of the calls whose result the recording names as such; other results are copied like any value. */
  const handles = new Set(
    job.calls.flatMap((call) => [
      ...(call.on === undefined ? [] : [call.on]),
      ...[...stringify(call).matchAll(/\\"h\\":(\d+)/g)].map(([, at]) => Number(at)),
    ]),
  );
  /** What the calls of this round made, by their positions. */
  let made = new Map<number, unknown>();
  let counts = new Map<number, number>();
  let events: { readonly call: number; readonly isLate: boolean; readonly args: string }[] = [];
  let stubs = new Map<number, unknown>();
  let during: number | undefined;
  const answers = new Map(
    job.calls.flatMap(({ at, answers: own = {} }) =>
      Object.entries(own).map(([id, list]) => [Number(id), { of: at, list }] as const),
    ),
  );
  const shapes = new Map(
    job.calls.flatMap(({ functions: own = [] }) => own.map((shape) => [shape.given, shape] as const)),
  );
  const tryEncode = (value: unknown): string => {
    try {
      return encode(value, true);
    } catch (error) {
      if ((typeof value !== 'object' || value === null) && typeof value !== 'function') throw error;
      return OPAQUE;
    }
  };
  const special = (coded: object): unknown => {
    const { h, c } = coded as { h?: number; c?: number };
    if (h !== undefined && !made.has(h)) throw new TypeError('was not made');
    return h === undefined ? (c === undefined ? undefined : stubOf(c)) : made.get(h);
  };
  const known = (it: object): unknown => {
    for (const at of handles) if (made.get(at) === it) return { h: at };
    for (const [id, stub] of stubs) if (stub === it) return { c: id };
    return undefined;
  };
  /** A function in place of one that a test gave: it returns what that returned. */
  const stubOf = (id: number): unknown => {
    const { of, list } = answers.get(id) ?? { of: -1, list: [] };
    const stub = (...given: unknown[]): unknown => {
      let args = OPAQUE;
      try {
        args = encode(given, false, known);
      } catch {
        // Another text than any that was recorded.
      }
      events.push({ call: during ?? of, isLate: during === undefined, args });
      const at = counts.get(id) ?? 0;
      counts.set(id, at + 1);
      const answer = list[at];
      const value = answer && decode(answer.text, special);
      if (answer?.isAsync !== true) return value;
      const { answersAfterMs } = job;
      return answersAfterMs === undefined
        ? Promise.resolve(value)
        : new Promise((done) => wait(done, answersAfterMs, value));
    };
    const shape = shapes.get(id);
    if (shape !== undefined) {
      Object.defineProperty(stub, 'length', { value: shape.length, configurable: true });
      Object.defineProperty(stub, 'name', { value: shape.name, configurable: true });
    }
    if (!stubs.has(id)) stubs.set(id, stub);
    return stubs.get(id);
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
      const self = made.get(on);
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
    if (job.isClockKept === true) shownMs = () => call.clock;
    let end: { value: unknown } | undefined;
    let result: unknown;
    const args = decode(call.args, special) as unknown[];
    /** What the call did to its arguments belongs to its result. */
    const withArgs = (shown: string): string => {
      if (!isCall) return shown;
      let after = OPAQUE;
      try {
        after = encode(args, false, known);
      } catch {
        // Another text than any that was recorded.
      }
      return after === call.args ? shown : `${shown}\nargs ${after}`;
    };
    try {
      during = call.at;
      try {
        result = perform(call, target, args);
      } finally {
        during = undefined;
      }
      end = await settled(result);
    } catch (error) {
      return withArgs(`throws ${String((error as Error | undefined)?.name)}`);
    }
    if (end === undefined) return undefined;
    const { value } = end;
    // Before the result gets a name: it may be one of the arguments.
    const changedArgs = withArgs('');
    made.set(call.at, value);
    const shown = tryEncode(value);
    if (!isLooking || typeof value !== 'object' || value === null) return shown + changedArgs;
    await new Promise((done) => wait(done, 5));
    const late = Array.from({ length: 4 }, () => tryEncode(value)).at(-1)!;
    made.delete(call.at);
    const shownLate = withArgs(late);
    made.set(call.at, value);
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
  const eventsOf = ({ at, late = 0 }: Job['calls'][number]): string[] => {
    const own = events.filter(({ call }) => call === at);
    const before = own.filter(({ isLate }) => !isLate);
    return [...before, ...own.filter(({ isLate }) => isLate).slice(0, late)].map(({ args }) => args);
  };
  const round = async (): Promise<(readonly [number, string])[]> => {
    [made, counts, events, stubs] = [new Map(), new Map(), [], new Map()];
    const plain: [Job['calls'][number], string][] = [];
    for (const call of job.calls) {
      const result = await repeat(call).catch(() => undefined);
      if (result !== undefined) plain.push([call, result]);
    }
    const awaited = job.calls.reduce((sum, { late = 0 }) => sum + late, 0);
    const until = RealDate.now() + 1_000;
    while (events.filter(({ isLate }) => isLate).length < awaited && RealDate.now() < until)
      await new Promise((done) => wait(done, 5));
    return plain.map(([call, result]) => [call.at, [result, ...eventsOf(call)].join('\n')] as const);
  };
  /** The results of asynchronous functions of which several calls are in flight; errors are left out. */
  const together = async (): Promise<ReadonlyMap<number, string>> => {
    const shown = new Map<number, string>();
    const plain = job.calls.filter((call) => call.on === undefined && !/"[hc]":/.test(call.args));
    const begun = await Promise.all(
      [...plain, ...plain, ...plain].slice(0, 300).map(async (call) => {
        const target = await targetOf(call);
        if (typeof target?.value !== 'function' || call.kind === 'new') return undefined;
        return { call, run: () => perform(call, target, decode(call.args, special) as unknown[]) };
      }),
    );
    const ends = begun.map(async (it) => {
      if (it === undefined) return;
      const result = it.run();
      if (Object.prototype.toString.call(result) !== '[object Promise]') return;
      const end = await settled(result);
      if (end === undefined) return;
      const text = tryEncode(end.value);
      if (text !== it.call.result || !shown.has(it.call.at)) shown.set(it.call.at, text);
    });
    await Promise.allSettled(ends);
    return shown;
  };
  const observed = (): Promise<[number, string][]> =>
    observe({
      job,
      prepare: async (call) => {
        const target = await targetOf(call);
        const isMade = call.kind === 'value' || typeof target?.value === 'function';
        return target && isMade ? (args) => perform(call, target, args) : undefined;
      },
      decodeArgs: (text) => decode(text, special) as unknown[],
      encodeResult: (value) => encode(value, true),
      load: importModule,
      know: (at, value) => void made.set(at, value),
      keep: (found) => write(job.out, stringify(found)),
      parts: looks,
    });
  const use: Use = {
    round,
    together,
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
