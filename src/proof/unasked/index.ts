import type { Check } from '../../ports.ts';
import { withBase } from '../base-sources.ts';
import { reachesOutside } from '../replay/ambient.ts';
import { runChanged } from '../replay/fed-expectations.ts';
import type { ChangedCall } from '../replay/recorder/change-arguments.ts';
import { repeatCalls, type RepeatableCall } from '../replay/repeat-calls.ts';
import { keyOf, repeatIn, type ReplayRequest } from '../replay/replay-request.ts';
import type { Outcome } from '../replay/unlike-outside.ts';
import { manyNextTo } from '../tested-inputs/neighbours.ts';
import { kindIn, likeKindsOf } from './kinds.ts';
import { SETTINGS_AT, type Behaviour } from './observe.ts';
import { findPlaceBound, findSlowAnswer } from './other-circumstances.ts';

/** Calls that are observed, of each function. */
const MAX_CALLS = 12;
/** Further calls with other arguments, of each function. */
const FURTHER = 3;
/** A shorter pause may be the machine's. */
const PAUSE_MS = 30;

export interface UnaskedRequest extends Pick<Outcome, 'alike' | 'unrepeatable' | 'uncompared'> {
  /** Texts of the tests. */
  readonly texts: readonly string[];
}

/** Behaviour of calls, and effects of loading the sources. */
interface Observation {
  readonly of: ReadonlyMap<number, Behaviour>;
  /** Settings that they change for the whole process. */
  readonly settings: readonly string[];
}

/** A call as it was before the change and as it is now. */
interface Compared {
  readonly call: RepeatableCall;
  readonly before: Behaviour;
  readonly now: Behaviour;
}

/**
 * A sentence on what a change alters beside what the tests ask for: settings of the whole process, results that a further call
 * destroys, arguments that are frozen, results of another kind, a call that is right only the first time, or only where it runs.
 * The calls of the tests are observed in plain Node with the base's sources and the changed ones. Where a test could ask for the
 * difference, the tests run without it, and it counts only if they pass. Undefined if there is none. The files are put back.
 */
export async function findUnasked(
  check: Check,
  asked: ReplayRequest,
  { alike, unrepeatable, uncompared, texts }: UnaskedRequest,
): Promise<string | undefined> {
  const { root, signal } = asked.request;
  const calls = plainCalls([
    ...alike,
    ...uncompared.map((call) => ({ ...call, result: '' }) as RepeatableCall),
  ]);
  const loaded = [...new Set([...calls, ...unrepeatable].map(({ source }) => source))];
  const settled = calls.filter(({ source }) => !reachesOutside(root, source));
  const loads = loaded.map((source, at) => loadOf(source, calls.length + at));
  const fillers = [...Map.groupBy(settled, keyOf).values()].flatMap(([call]) =>
    manyNextTo(call!.args, FURTHER).map((args) => ({ ...call!, args })),
  );
  const observe = async (): Promise<Observation> => {
    const observed = { repeatable: settled.map(({ at }) => at) };
    const found = await repeatCalls([...loads, ...calls], repeatIn(check, asked), { observed, fillers });
    const of = new Map([...found].map(([at, text]) => [at, JSON.parse(text) as Behaviour]));
    const settings = JSON.parse(found.get(SETTINGS_AT) ?? '[]') as string[];
    return { of, settings };
  };
  const now = await observe();
  if (signal.aborted || now.of.size === 0) return undefined;
  const base = await withBase(asked, observe);
  const setting = now.settings.find((it) => !base.settings.includes(it) && !isNamed(it, texts));
  if (setting !== undefined) return describeSetting(setting, asked);
  const compared = calls.flatMap((call): Compared[] => {
    const [before, own] = [base.of.get(call.at), now.of.get(call.at)];
    return before === undefined || own === undefined ? [] : [{ call, before, now: own }];
  });
  return (
    describeOnce(compared) ??
    describeStop(compared) ??
    (await findTolerated(check, asked, { compared, texts })) ??
    (await findSlowAnswer(check, asked, alike)) ??
    (await findPlaceBound(
      check,
      asked,
      calls.filter(({ result }) => result !== ''),
    ))
  );
}

/** The calls of functions of the sources with plain arguments and one result each, numbered anew. */
function plainCalls(alike: readonly RepeatableCall[]): RepeatableCall[] {
  const own = alike.filter(
    ({ on, kind = 'call', answers, args, result }) =>
      on === undefined && kind === 'call' && !answers && !/"[hc]":/.test(args) && !result.includes('\n'),
  );
  const byFunction = [...Map.groupBy(own, keyOf).values()].map((all) => [
    ...new Map(all.map((call) => [call.args, call])).values(),
  ]);
  // A function that the tests call twice with other results remembers something on purpose.
  const remembers = (calls: readonly RepeatableCall[]): boolean =>
    calls.some((call) =>
      own.some((it) => keyOf(it) === keyOf(call) && it.args === call.args && it.result !== call.result),
    );
  return byFunction
    .filter((calls) => !remembers(calls))
    .flatMap((calls) => calls.slice(0, MAX_CALLS))
    .map((call, at) => ({ ...call, at }));
}

/** Loads a source. */
function loadOf(source: string, at: number): RepeatableCall {
  const plain = { realm: '', entry: '', clock: 0, args: '{"a":[]}', result: '' };
  return { ...plain, at, source, name: 'default', kind: 'value' };
}

/** A setting that a test names, such as `TZ` or `defaultMaxListeners`, is its business. */
function isNamed(setting: string, texts: readonly string[]): boolean {
  const name = /(\w+)( of every \w+)?$/.exec(setting)![1]!;
  const word = setting.startsWith('the enumerable member') ? setting.split(' ')[3]! : name;
  return texts.some((text) => text.includes(word));
}

function describeSetting(setting: string, { sources }: ReplayRequest): string {
  const [source] = sources;
  return `The change alters ${setting} for the whole process of everybody who loads ${sources.length === 1 ? source : 'it'}, which was not so before. Keep the change to the code that needs it; if it is meant, --allow ${source} permits it.`;
}

/** A repaired call that is what it was before when it is made again. */
function describeOnce(compared: readonly Compared[]): string | undefined {
  const found = compared.find(
    ({ before, now }) =>
      before.plain !== undefined &&
      now.plain !== undefined &&
      before.plain !== now.plain &&
      before.again.every((it) => it === before.plain) &&
      now.again.includes(before.plain),
  );
  if (found === undefined) return undefined;
  const { source, name, args } = found.call;
  return `${name} of ${source} is right for the arguments ${short(args)} only at first: called again in the same process with the same arguments, it returns what it did before the change. Let it remember nothing between calls; if it is meant, --allow ${source} permits it.`;
}

/** A call that waits, and lets nothing else run, where it returns a promise. */
function describeStop(compared: readonly Compared[]): string | undefined {
  const found = compared.find(
    ({ before, now }) => now.kind === 'Promise' && now.stopsMs >= PAUSE_MS && before.stopsMs < PAUSE_MS / 2,
  );
  if (found === undefined) return undefined;
  const { source, name } = found.call;
  return `${name} of ${source} returns a promise, and keeps the whole process waiting for ${found.now.stopsMs} ms before it does, which was not so before. Wait without that; if it is meant, --allow ${source} permits it.`;
}

/** A difference of calls, and the run in which the tests do without it. */
interface Difference {
  readonly change: ChangedCall;
  readonly calls: readonly RepeatableCall[];
  readonly results?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly sentence: string;
}

async function findTolerated(
  check: Check,
  asked: ReplayRequest,
  given: { readonly compared: readonly Compared[]; readonly texts: readonly string[] },
): Promise<string | undefined> {
  for (const { sentence, ...rest } of differencesIn(given.compared, given.texts)) {
    const report = await runChanged(rest.change, check, asked, rest);
    if (report.status === 'pass' && !asked.request.signal.aborted) return sentence;
  }
  return undefined;
}

function differencesIn(compared: readonly Compared[], texts: readonly string[]): Difference[] {
  const found: Difference[] = [];
  const shared = compared.find(({ before, now }) => before.isKept && !now.isKept);
  if (shared !== undefined) {
    const { source, name } = shared.call;
    const sentence = `${name} of ${source} returns one list or object for several calls, so that a further call changes an earlier result, which was not so before. All tests pass if each result is one of its own. Return a new one each time; if it is meant, --allow ${source} permits it.`;
    found.push({ change: 'detached', calls: [shared.call], sentence });
  }
  const frozen = compared.find(({ before, now }) => now.freezes && !before.freezes);
  if (frozen !== undefined) {
    const { source, name } = frozen.call;
    const sentence = `${name} of ${source} freezes what its caller passes to it, which it did not do before, and no test asks for that. Leave the argument as it is; if it is meant, --allow ${source} permits it.`;
    found.push({ change: 'copied', calls: [frozen.call], sentence });
  }
  for (const own of Map.groupBy(compared, ({ call }) => keyOf(call)).values())
    found.push(...otherKind(own, texts));
  return found;
}

/** Calls of one function whose results are all of another kind than before. */
function otherKind(compared: readonly Compared[], texts: readonly string[]): Difference[] {
  const known = compared.filter(({ before, now }) => isValue(before) && isValue(now));
  const made = known.flatMap(({ call, before, now }): [string, string][] => {
    const isDeferred = now.kind === 'Promise' && before.kind !== 'Promise';
    const isOnce = /Iterator$|^Generator$/.test(now.kind) && before.kind === 'Array';
    const own = isDeferred || isOnce ? now.plain! : undefined;
    const text = likeKindsOf(before.plain!, now.plain!) ?? own;
    const isWritten = texts.some((it) => hasText(it, now.plain!));
    return text === undefined || isWritten ? [] : [[call.args, text]];
  });
  if (known.length === 0 || made.length < known.length) return [];
  const [{ call, before, now }] = known as [Compared];
  const { source, name } = call;
  const [was, is] = [shownKind(before), shownKind(now)];
  const sentence = `${name} of ${source} returns ${is} where it returned ${was} before, and no test asks for that: all pass with ${was}. Return what users of it expect; if the other kind is meant, --allow ${source} permits it.`;
  return [{ change: 'answered', calls: [call], results: { [name]: Object.fromEntries(made) }, sentence }];
}

function isValue({ plain }: Behaviour): boolean {
  return plain !== undefined && !/^(null|\{"u":1\}|\{"h":true\})$/.test(plain);
}

/** A text that the tests write down is asked for. */
function hasText(test: string, result: string): boolean {
  const value = JSON.parse(result) as unknown;
  return typeof value === 'string' && ["'", '"', '`'].some((mark) => test.includes(mark + value + mark));
}

function shownKind({ kind, plain }: Behaviour): string {
  if (kind === 'Promise') return 'a promise';
  return /Iterator$|^Generator$/.test(kind) ? 'an iterator' : `${kindIn(plain!)}${itemKind(plain!)}`;
}

function itemKind(plain: string): string {
  const { a } = (JSON.parse(plain) ?? {}) as { a?: unknown[] };
  return a?.[0] === undefined ? '' : ` with ${kindIn(JSON.stringify(a[0]))} in it`;
}

function short(args: string): string {
  return args.length > 200 ? `${args.slice(0, 200)}…` : args;
}
