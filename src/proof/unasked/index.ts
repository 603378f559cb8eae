import type { Check } from '../../ports.ts';
import { withBase } from '../base-sources.ts';
import { reachesOutside } from '../replay/ambient/reached.ts';
import { runChanged } from '../replay/fed-expectations.ts';
import { repeatCalls, type RepeatableCall } from '../replay/repeat-calls.ts';
import { keyOf, repeatIn, type ReplayRequest } from '../replay/replay-request.ts';
import { shownArguments } from '../replay/shown-values.ts';
import type { Outcome } from '../replay/unlike-outside.ts';
import { manyNextTo } from '../tested-inputs/neighbours.ts';
import type { Behaviour } from './behaviour.ts';
import { differencesIn, type Difference } from './differences.ts';
import { keepingErrors } from './kept-errors.ts';
import { findLostMember } from './lost-members.ts';
import { SETTINGS_AT } from './observe.ts';
import { observedCalls } from './observed-calls.ts';
import { otherKinds } from './other-kind.ts';
import { findPlaceBound, findSlowAnswer } from './other-circumstances.ts';
import { probesOf } from './probes.ts';
import type { Compared, Probed } from './rule.ts';
import { findStrayChange } from './stray-changes.ts';
import { findChangedSurface } from './surface.ts';

/** Further calls with other arguments, of each function. */
const FURTHER = 3;
/** Positions of what no test calls. */
const [LOADS_FROM, PROBES_FROM] = [1_000_000, 2_000_000];
/** Calls that no test makes; such of one function are spread evenly over their kinds. */
const MAX_PROBES = 2_000;

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
  const calls = observedCalls([
    ...alike,
    ...uncompared.map((call) => ({ ...call, result: '' }) as RepeatableCall),
  ]);
  const loaded = [...new Set([...alike, ...uncompared, ...unrepeatable].map(({ source }) => source))];
  const loads = loaded.map((source, at) => loadOf(source, LOADS_FROM + at));
  const settled = calls.filter(
    ({ source, kind, on }) => kind !== 'new' && on === undefined && !reachesOutside(root, source),
  );
  const byFunction = [...Map.groupBy(settled, keyOf).values()];
  const fillers = byFunction.flatMap(([call]) =>
    manyNextTo(call!.args, FURTHER).map((args) => ({ ...call!, args })),
  );
  const probes = byFunction
    .flatMap((own) => spread(probesOf(own), Math.floor(MAX_PROBES / byFunction.length)))
    .map((it, at) => ({ ...it, call: { ...it.call, at: PROBES_FROM + at } }));
  const observe = async (): Promise<Observation> => {
    const observed = {
      repeatable: settled.map(({ at }) => at),
      probes: probes.map(({ call }) => call.at),
    };
    const all = [...loads, ...calls, ...probes.map(({ call }) => call)];
    const found = await repeatCalls(all, repeatIn(check, asked), { observed, fillers });
    const of = new Map([...found].map(([at, text]) => [at, JSON.parse(text) as Behaviour]));
    const settings = JSON.parse(found.get(SETTINGS_AT) ?? '[]') as string[];
    return { of, settings };
  };
  const now = await observe();
  if (signal.aborted || now.of.size === 0) return undefined;
  const base = await withBase(asked, observe);
  const setting = now.settings.find((it) => !base.settings.includes(it) && !isNamed(it, texts));
  if (setting !== undefined) return describeSetting(setting, asked);
  const keeping = await keepingErrors(loaded, asked);
  const look = (seen: Observation): Looked => {
    const compare = (call: RepeatableCall): Compared[] => {
      const [before, own] = [base.of.get(call.at), seen.of.get(call.at)];
      return before === undefined || own === undefined
        ? []
        : [{ call, before, now: own, keepsErrors: keeping.has(call.source) }];
    };
    const isLoaded = loads.flatMap(compare);
    const made = calls.filter(({ kind }) => kind === 'new').flatMap(compare);
    const compared = calls.filter(({ kind }) => kind !== 'new').flatMap(compare);
    const probed = probes.flatMap(({ call, ...rest }): Probed[] => {
      const own = compared.filter((it) => keyOf(it.call) === keyOf(call));
      return compare(call).map((it) => ({ ...it, ...rest, own }));
    });
    const differences = [
      ...differencesIn([...isLoaded, ...compared], probed, texts),
      ...[...Map.groupBy(compared, ({ call }) => keyOf(call)).values()].flatMap((own) =>
        otherKinds(own, texts),
      ),
    ];
    return { isLoaded, made, compared, probed, differences };
  };
  const { isLoaded, made, compared, probed, differences: first } = look(now);
  const differences = await shownAgain(first, async () => look(await observe()).differences);
  return (
    describeOnce(compared) ??
    findLostMember(isLoaded, root) ??
    (await findChangedSurface(made, asked, texts)) ??
    differences.find(({ change }) => change === undefined)?.sentence ??
    (await findStrayChange(probed, asked)) ??
    (await findTolerated(check, asked, differences)) ??
    (await findSlowAnswer(check, asked, alike)) ??
    (await findPlaceBound(
      check,
      asked,
      calls.filter(
        ({ result, kind = 'call', on }) =>
          kind === 'call' && on === undefined && result !== '' && !result.includes('\n'),
      ),
    ))
  );
}

/** At most so many items, from the whole of a list. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

interface Looked {
  readonly isLoaded: readonly Compared[];
  /** Constructions. */
  readonly made: readonly Compared[];
  readonly compared: readonly Compared[];
  readonly probed: readonly Probed[];
  readonly differences: readonly Difference[];
}

/** Further times that a difference has to show which a busy machine can look like. */
const TIMES_AGAIN = 2;

/** The differences without those of time that do not show each time. */
async function shownAgain(
  differences: readonly Difference[],
  observe: () => Promise<readonly Difference[]>,
): Promise<readonly Difference[]> {
  let left = differences;
  const subjectOf = ({ calls: [call] }: Difference): string => keyOf(call!);
  for (let time = 0; time < TIMES_AGAIN && left.some(({ isTimed }) => isTimed); time++) {
    const timed = (await observe()).filter(({ isTimed }) => isTimed).map(subjectOf);
    left = left.filter((it) => !it.isTimed || timed.includes(subjectOf(it)));
  }
  return left;
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
  return `${name} of ${source} is right for the arguments ${shownArguments({ args })} only at first: called again in the same process with the same arguments, it returns what it did before the change. Let it remember nothing between calls; if it is meant, --allow ${source} permits it.`;
}

/** The sentence on the first difference without which all tests pass. */
async function findTolerated(
  check: Check,
  asked: ReplayRequest,
  differences: readonly Difference[],
): Promise<string | undefined> {
  for (const { sentence, change, ...rest } of differences) {
    if (change === undefined) continue;
    const report = await runChanged(change, check, asked, rest);
    if (report.status === 'pass' && !asked.request.signal.aborted) return sentence;
  }
  return undefined;
}
