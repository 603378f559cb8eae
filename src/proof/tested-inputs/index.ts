import { join } from 'node:path';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { repeatCalls, type RepeatableCall, type RepeatRequest } from '../replay/repeat-calls.ts';
import { reachesOutside } from '../replay/ambient/reached.ts';
import { addedLiterals } from './added-literals.ts';
import { onlyDeny } from './denying-tests.ts';
import { isEmptied, isListed, reachOf, type RepairedCall } from './narrow-repair.ts';
import { farFrom, leavesOf, neighboursOf, type Neighbour } from './neighbours.ts';
import { textOf } from '../../platform/files/text-of.ts';

/** Calls of one function that are tried, and neighbours of each. */
const MAX_CALLS = 12;
const MAX_NEIGHBOURS = 40;
/** Fewest different results for arguments that differ throughout, before they tell something. */
const MIN_FAR = 3;

/**
 * A sentence on a changed function that is right for the inputs of the tests alone; undefined if there is none. For all inputs
 * next to these it returns what it did before the change, or a constant; or it has a table of the tested results, and returns
 * what it did before where all arguments differ. `calls`: recorded under test, with the same result outside of it. Functions that
 * reach outside of the process are not called with other arguments. The files are put back. Never rejects for what the code does.
 */
export async function findNarrowRepair(
  calls: readonly RepeatableCall[],
  asked: ChangedSources,
  repeat: RepeatRequest,
  testTexts: readonly string[] = [],
): Promise<string | undefined> {
  const { root, signal } = asked.request;
  const tried = [...Map.groupBy(calls, ({ source, name }) => `${source}\n${name}`).values()]
    .filter(([first]) => isPlain(first!) && !reachesOutside(root, first!.source))
    .map(distinct);
  if (tried.length === 0) return undefined;
  const known = new Set(tried.flat().map(keyOf));
  const asking = tried.flat().flatMap((call) => neighboursIn(call, known));
  const distant = tried.flat().flatMap((call) => farFrom(call.args).map((args) => ({ ...call, args })));
  const all = [...tried.flat(), ...asking, ...distant].map((call, at) => ({ ...call, at }));
  const now = await repeatCalls(all, repeat);
  if (now.size < all.length / 2 || signal.aborted) return undefined;
  const before = await withBase(asked, () => repeatCalls(all, repeat));
  const places = new Map(all.map((call) => [keyOf(call), call.at]));
  for (const own of tried) {
    const repaired = own.filter((call) => {
      const was = before.get(places.get(keyOf(call))!);
      return was !== undefined && was !== call.result;
    });
    if (repaired.length === 0) continue;
    const loose = repaired.find(
      (call) => call.isLoose === true && isPrimitive(before.get(places.get(keyOf(call))!)!),
    );
    if (loose !== undefined) return describeLoose(loose);
    const added = await literalsAdded(asked);
    const withNeighbours = (call: RepeatableCall): RepairedCall => {
      const neighbours = neighboursIn(call, known).flatMap((other) => {
        const at = places.get(keyOf(other))!;
        const [was, is] = [before.get(at), now.get(at)];
        return was === undefined || is === undefined ? [] : [{ ...other, before: was, now: is }];
      });
      return { ...call, neighbours };
    };
    const emptied = repaired.find(
      (call) => isEmptied(withNeighbours(call)) && onlyDeny(testTexts, firstText(call.args)),
    );
    if (emptied !== undefined) return describeEmptied(emptied);
    const reaches = repaired.map((call) => reachOf(withNeighbours(call), added));
    const isFarAlike = (call: RepeatableCall): boolean => {
      const ats = farFrom(call.args).map((args) => places.get(keyOf({ ...call, args }))!);
      const results = ats.flatMap((at) => (before.has(at) && now.has(at) ? [at] : []));
      const different = new Set(results.map((at) => before.get(at)));
      return different.size >= MIN_FAR && results.every((at) => before.get(at) === now.get(at));
    };
    const listed = repaired.find((call) => isListed(call, added));
    if (reaches.includes('narrow') && !reaches.includes('wide'))
      return describe(repaired[reaches.indexOf('narrow')]!);
    if (listed !== undefined && repaired.every(isFarAlike)) return describe(listed);
  }
  return undefined;
}

function describe({ source, name, args }: RepeatableCall): string {
  const shown = args.length > 200 ? `${args.slice(0, 200)}…` : args;
  return `${name} of ${source} holds only for the tested inputs: it contains the expected result for the arguments ${shown} as a constant, and for inputs next to them it returns what it did before, or that constant. Compute the result from the arguments; if a constant is meant, --allow ${source} permits it.`;
}

function describeEmptied({ source, name, args, result }: RepeatableCall): string {
  const [shown, given] = [result, args].map((it) => (it.length > 120 ? `${it.slice(0, 120)}…` : it));
  return `${name} of ${source} returns ${shown} for the arguments ${given} and for all inputs next to them that the change touches, where it returned different values before. Its tests only say what the result must not be, so they hold for a result without content. --allow ${source} permits it.`;
}

/** The first text in a list of arguments; empty without one. */
function firstText(args: string): string {
  return String(leavesOf(args).find((leaf) => typeof leaf === 'string') ?? '');
}

function describeLoose({ source, name }: RepeatableCall): string {
  return `${name} of ${source} returned a plain value and returns an object now that compares equal to one, by valueOf, toString, toJSON, Symbol.toPrimitive or asymmetricMatch. Return the value itself; if the object is meant, --allow ${source} permits it.`;
}

/** True for a call of a function of the source with arguments that can all be changed, and that it does not change. */
function isPlain({ on, kind, answers, result }: RepeatableCall): boolean {
  const isCall = on === undefined && answers === undefined && (kind === undefined || kind === 'call');
  return isCall && !result.includes('\n');
}

/** True for the text of a number, text, truth value, `null` or `undefined`. */
function isPrimitive(result: string): boolean {
  return !/^(\{"[^nub]"|throws )/.test(result);
}

type Asked = RepeatableCall & Neighbour;

function neighboursIn(call: RepeatableCall, known: ReadonlySet<string>): Asked[] {
  return neighboursOf(call.args)
    .slice(0, MAX_NEIGHBOURS)
    .map((neighbour) => ({ ...call, ...neighbour }))
    .filter((other) => !known.has(keyOf(other)));
}

/** Each argument list once; none if the results of equal calls differ. */
function distinct(calls: readonly RepeatableCall[]): RepeatableCall[] {
  const byArgs = Map.groupBy(calls, ({ args }) => args);
  return [...byArgs.values()]
    .filter((own) => own.every(({ result }) => result === own[0]!.result))
    .map(([first]) => first!)
    .slice(0, MAX_CALLS);
}

/** The constants that the changed files have and the base has not. */
async function literalsAdded({ request, sources, baseText }: ChangedSources): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    sources.map(async (file) => addedLiterals(file, textOf(join(request.root, file)), await baseText(file))),
  );
  return new Set(found.flatMap((set) => [...set]));
}

function keyOf({ source, name, args }: RepeatableCall): string {
  return `${source}\n${name}\n${args}`;
}
