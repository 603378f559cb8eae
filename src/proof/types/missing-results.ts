import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { reachesOutside } from '../replay/ambient.ts';
import { encodeValue } from '../replay/call-values.ts';
import { repeatCalls, type RepeatableCall } from '../replay/repeat-calls.ts';
import { exportedFunctionLines, fullName, typedFunctions, type TypedFunction } from './typed-functions.ts';

/** Texts of `encodeValue`. */
const NOTHING: ReadonlyMap<string, string> = new Map([
  ['{"u":1}', 'undefined'],
  ['null', 'null'],
]);
/** Calls of one function. */
const MAX_CALLS = 4;

/** A type error that says that there may be no value. */
const MISSING = /\bundefined\b|\bnull\b|lacks ending return/;

interface Probe extends RepeatableCall {
  readonly returns: string;
}

/**
 * A sentence on a function in which a type checker reported that a value may be missing, and which still returns none where
 * its declared type excludes that; undefined if there is none. Functions with such an error in the base are called with
 * plain values of the types of their parameters, with the base's sources and the changed ones. `before` are the base's
 * problems of this check.
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
  const missing = probes.filter(({ at, kind }) => kind !== 'new' && NOTHING.has(now.get(at) ?? ''));
  if (missing.length === 0) return undefined;
  const then = await withBase(changed, () => repeatCalls(probes, repeat));
  const kept = missing.find(({ at }) => then.get(at) === now.get(at));
  return kept && describe(kept, NOTHING.get(now.get(kept.at)!)!);
}

async function probesFor(
  { request: { root }, sources, baseText }: ChangedSources,
  before: readonly Diagnostic[],
): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const source of sources.filter((it) => /\.m?ts$/.test(it) && !it.endsWith('.d.ts'))) {
    const lines = before.flatMap(({ file, message, line }) =>
      file === source && line !== undefined && MISSING.test(message) ? [line] : [],
    );
    // Made-up arguments must reach nothing outside of the process.
    if (lines.length === 0 || reachesOutside(root, source)) continue;
    const base = exportedFunctionLines(source, (await baseText(source)) ?? '');
    const isReported = (fn: TypedFunction): boolean => {
      const [first, last] = base.get(fullName(fn)) ?? [0, -1];
      return lines.some((line) => line >= first && line <= last);
    };
    for (const fn of typedFunctions(source, textOf(join(root, source))).filter(isReported))
      probes.push(...probesOf(source, fn, probes.length));
  }
  return probes;
}

/** Calls of a function; of a method, each on an object of its own. */
function probesOf(source: string, fn: TypedFunction, from: number): Probe[] {
  const { name, of, returns } = fn;
  const own = { realm: 'types', source, result: '', entry: '', clock: 0, returns };
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

function describe({ source, name, args, returns }: Probe, result: string): string {
  return `${name} of ${source} still returns ${result} for the arguments ${args.slice(0, 200)}, which its type ${returns.slice(0, 100)} excludes: the type checker reported that in the base and does not see it any more. Return a value, throw, or say it in the type; if it is meant, --allow ${source} permits it.`;
}
