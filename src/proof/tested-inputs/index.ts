import { join } from 'node:path';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { repeatCalls, type RepeatableCall, type RepeatRequest } from '../replay/repeat-calls.ts';
import { actsOutside } from '../replay/ambient/reached.ts';
import { shownArguments } from '../replay/shown-values.ts';
import { addedLiterals } from './added-literals.ts';
import { callsToTry, keyOf, neighboursIn } from './asked-calls.ts';
import { onlyDeny } from './denying-tests.ts';
import { isEmptied, isListed, isLost, reachOf, type RepairedCall } from './narrow-repair.ts';
import { farFrom, leavesOf } from './neighbours.ts';
import { textOf } from '../../platform/files/text-of.ts';

/** Fewest different results for arguments that differ throughout, before they tell something. */
const MIN_FAR = 3;

/**
 * A sentence on a changed function that is right for the inputs of the tests alone; undefined if there is none. For all inputs
 * next to these it returns what it did before the change, or a constant; or it has a table of the tested results, and returns
 * what it did before where all arguments differ. `calls`: recorded under test, with the same result outside of it. Functions that
 * do more outside of the process than read files are not called with other arguments. The files are put back. Never rejects for what the code does.
 */
export async function findNarrowRepair(
  calls: readonly RepeatableCall[],
  asked: ChangedSources,
  repeat: RepeatRequest,
  testTexts: readonly string[] = [],
): Promise<string | undefined> {
  const { root, signal } = asked.request;
  const tried = callsToTry(calls).filter(([first]) => !actsOutside(root, first!.source));
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
    if (isLost(repaired.map(withNeighbours), await literalsOf(asked))) return describeLost(repaired[0]!);
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

function describe(call: RepeatableCall): string {
  const { source, name } = call;
  return `${name} of ${source} holds only for the tested inputs: it contains the expected result for the arguments ${shownArguments(call)} as a constant, and for inputs next to them it returns what it did before, or that constant. Compute the result from the arguments; if a constant is meant, --allow ${source} permits it.`;
}

function describeEmptied(call: RepeatableCall): string {
  const { source, name, result } = call;
  const shown = result.length > 120 ? `${result.slice(0, 120)}…` : result;
  return `${name} of ${source} returns ${shown} for the arguments ${shownArguments(call)} and for all inputs next to them that the change touches, where it returned different values before. Its tests only say what the result must not be, so they hold for a result without content. --allow ${source} permits it.`;
}

function describeLost(call: RepeatableCall): string {
  const { source, name, result } = call;
  return `${name} of ${source} holds only for the tested inputs: it returns the constant ${result} for the arguments ${shownArguments(call)}, and nothing for all inputs next to them, where it returned values before. Compute the result from the arguments; if the inputs of the tests are all there are, --allow ${source} permits it.`;
}

/** The first text in a list of arguments; empty without one. */
function firstText(args: string): string {
  return String(leavesOf(args).find((leaf) => typeof leaf === 'string') ?? '');
}

function describeLoose({ source, name }: RepeatableCall): string {
  return `${name} of ${source} returned a plain value and returns an object now that compares equal to one, by valueOf, toString, toJSON, Symbol.toPrimitive or asymmetricMatch. Return the value itself; if the object is meant, --allow ${source} permits it.`;
}

/** True for the text of a number, text, truth value, `null` or `undefined`. */
function isPrimitive(result: string): boolean {
  return !/^(\{"[^nub]"|throws )/.test(result);
}

/** The constants of the changed files. */
async function literalsOf(asked: ChangedSources): Promise<ReadonlySet<string>> {
  return literalsAdded({ ...asked, baseText: () => Promise.resolve(undefined) });
}

/** The constants that the changed files have and the base has not. */
async function literalsAdded({ request, sources, baseText }: ChangedSources): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    sources.map(async (file) => addedLiterals(file, textOf(join(request.root, file)), await baseText(file))),
  );
  return new Set(found.flatMap((set) => [...set]));
}
