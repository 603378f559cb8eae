import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { reachesOutside } from '../replay/ambient/reached.ts';
import { encodeValue } from '../replay/call-values.ts';
import { repeatCalls, type RepeatableCall } from '../replay/repeat-calls.ts';
import { shownArguments } from '../replay/shown-values.ts';
import { isSpoilt } from './unfit-results.ts';
import { exportedFunctionLines, fullName, typedFunctions, type TypedFunction } from './typed-functions.ts';

/** Texts of `encodeValue`. */
const NOTHING: ReadonlyMap<string, string> = new Map([
  ['{"u":1}', 'undefined'],
  ['null', 'null'],
]);
/** Calls of one function. */
const MAX_CALLS = 4;

/** What the language throws where a value is missing, as the repeated calls name it. */
const THROWN = 'throws TypeError';
/** Code that throws such errors on purpose, or calls what throws them for a text of another form. */
const OWN_ERRORS = /\bTypeError\b|\bnew URL\(/;

/** A type error that says that there may be no value. */
const MISSING = /\bundefined\b|\bnull\b|lacks ending return/;

interface Probe extends RepeatableCall, Pick<TypedFunction, 'returns' | 'unfitIn'> {
  /** Whether the reported problem is that a value may be missing. */
  readonly isOfMissing: boolean;
  /** Whether such an error of the function is one of the language. */
  readonly throwsNoneOfItsOwn: boolean;
}

/**
 * A sentence on a function in which a type checker reported a problem that is only hidden: it still returns no value where its
 * declared type excludes that, or a value of another type, or one that shows that something was missing (`Hello undefined`), or the
 * language still throws because it is missing. Undefined if there is none. Functions with an error in the base are called with plain values of the types of their
 * parameters, with the base's sources and the changed ones. `before` are the base's problems of this check.
 */
export async function findMissingResult(
  { plan }: Check,
  changed: ChangedSources,
  before: readonly Diagnostic[],
): Promise<string | undefined> {
  const probes = await probesFor(changed, before);
  if (probes.length === 0) return undefined;
  const { request } = changed;
  const repeat = { request, cwd: join(request.root, plan.cwd), env: {} };
  const now = await repeatCalls(probes, repeat);
  const results = probes.flatMap((probe) => {
    const result = now.get(probe.at);
    return result === undefined || probe.kind === 'new' ? [] : [{ probe, result }];
  });
  const spoilt = [...Map.groupBy(results, ({ probe }) => [probe.source, probe.name].join(' ')).values()].find(
    (own) => own.every(({ probe, result }) => isValue(result) && isSpoilt(result, probe.args)),
  );
  if (spoilt !== undefined) return describe(spoilt[0]!.probe, spoilt[0]!.result, SPOILT);
  const unfit = results.filter(({ probe, result }) => isUnfit(probe, result));
  if (unfit.length === 0) return undefined;
  const then = await withBase(changed, () => repeatCalls(probes, repeat));
  const kept = unfit.find(({ probe, result }) => then.get(probe.at) === result);
  if (kept?.result === THROWN) return describe(kept.probe, 'a TypeError', 'because a value is missing there');
  return (
    kept &&
    describe(
      kept.probe,
      NOTHING.get(kept.result) ?? kept.result,
      `which its type ${kept.probe.returns.slice(0, 100)} excludes`,
    )
  );
}

function isUnfit(probe: Probe, result: string): boolean {
  if (NOTHING.has(result)) return probe.isOfMissing;
  if (result === THROWN) return probe.isOfMissing && probe.throwsNoneOfItsOwn;
  return isValue(result) && probe.unfitIn(result) !== undefined;
}

function isValue(result: string): boolean {
  return !result.startsWith('throws ') && !result.includes('\n');
}

async function probesFor(
  { request: { root }, sources, baseText }: ChangedSources,
  before: readonly Diagnostic[],
): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const source of sources.filter((it) => /\.m?ts$/.test(it) && !it.endsWith('.d.ts'))) {
    const problems = before.flatMap(({ file, message, line }) =>
      file === source && line !== undefined ? [{ line, isOfMissing: MISSING.test(message) }] : [],
    );
    // Made-up arguments must reach nothing outside of the process.
    if (problems.length === 0 || reachesOutside(root, source)) continue;
    const base = exportedFunctionLines(source, (await baseText(source)) ?? '');
    const text = textOf(join(root, source));
    const throwsNoneOfItsOwn = !OWN_ERRORS.test(text);
    for (const fn of typedFunctions(source, text)) {
      const [first, last] = base.get(fullName(fn)) ?? [0, -1];
      const own = problems.filter(({ line }) => line >= first && line <= last);
      const isOfMissing = own.some((it) => it.isOfMissing);
      const known = { ...fn, isOfMissing, throwsNoneOfItsOwn };
      if (own.length > 0) probes.push(...probesOf(source, known, probes.length));
    }
  }
  return probes;
}

type KnownFunction = TypedFunction & Pick<Probe, 'isOfMissing' | 'throwsNoneOfItsOwn'>;

/** Calls of a function; of a method, each on an object of its own. */
function probesOf(source: string, fn: KnownFunction, from: number): Probe[] {
  const { name, of, returns, unfitIn, isOfMissing, throwsNoneOfItsOwn } = fn;
  const known = { returns, unfitIn, isOfMissing, throwsNoneOfItsOwn };
  const own = { realm: 'types', source, result: '', entry: '', clock: 0, ...known };
  if (of === undefined)
    return argumentLists(fn).map((args, at) => ({ ...own, at: from + at, name, args: encodeValue(args) }));
  const objects = argumentLists(of);
  return argumentLists(fn).flatMap((args, index): Probe[] => {
    const at = from + 2 * index;
    const made = objects[Math.min(index, objects.length - 1)]!;
    return [
      { ...own, at, kind: 'new', name: of.name, args: encodeValue(made) },
      { ...own, at: at + 1, on: at, name, args: encodeValue(args) },
    ];
  });
}

/** Lists of arguments: the first value of each parameter, then such with other values. */
function argumentLists({ parameters }: Pick<TypedFunction, 'parameters'>): unknown[][] {
  const most = Math.max(1, ...parameters.map(({ length }) => length));
  const lists = Array.from({ length: most }, (_, at) =>
    parameters.map((own) => own[Math.min(at, own.length - 1)]),
  );
  const mixed = parameters.map((_, changed) =>
    parameters.map((own, at) => (at === changed ? own.at(-1) : own[0])),
  );
  return [...new Map([...lists, ...mixed].map((list) => [JSON.stringify(list), list])).values()].slice(
    0,
    MAX_CALLS,
  );
}

const SPOILT = 'which shows that a value was missing or of another type';

function describe({ source, name, args }: Probe, result: string, why: string): string {
  const does = result === 'a TypeError' ? 'throws' : 'returns';
  return `${name} of ${source} still ${does} ${result.slice(0, 200)} for the arguments ${shownArguments({ args })}, ${why}: the type checker reported a problem there in the base and does not see it any more. Return a right value, throw, or say it in the type; if it is meant, --allow ${source} permits it.`;
}
