import type { Check } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { withBase } from '../base-sources.ts';
import { manyNextTo } from '../tested-inputs/neighbours.ts';
import { reachesOutside } from './ambient/reached.ts';
import { lapses } from './describe-calls.ts';
import { standsAlone } from './installed-copy.ts';
import { repeatCalls, type RepeatableCall } from './repeat-calls.ts';
import { keyOf, repeatIn, type ReplayRequest } from './replay-request.ts';
import { withWholeHistories } from './whole-histories.ts';

/** Ten years: a date in the sources that ends a lie is before. */
const YEARS_MS = 3_650 * 24 * 3_600_000;
/** Values that honest code compares with the clock. */
const DATES = /\{"d":|\d{10}|\d{4}-\d\d/;

/** Results of calls in copies of the tree, and years later. */
interface Used {
  readonly installed: ReadonlyMap<number, string>;
  readonly checkedOut: ReadonlyMap<number, string>;
  readonly later: ReadonlyMap<number, string>;
}

/**
 * Calls that have the result of the tests at first, and that of the base once the code is in use: after many calls, some
 * time later, on a terminal, years later. Code that remembers honestly returns neither a new value each time nor what was wrong before.
 * `beside` runs while the product in use, which lies in copies, makes its pauses, and may exchange the sources of the tree
 * when its argument has settled; or after it, where the two could meet.
 */
export async function findLapses<Result>(
  check: Check,
  asked: ReplayRequest,
  alike: readonly RepeatableCall[],
  beside: (readers?: Promise<unknown>) => Promise<Result>,
): Promise<{ readonly tampering: Tampering[]; readonly beside?: Result }> {
  const repeat = repeatIn(check, asked);
  const [first] = Map.groupBy(alike, ({ realm }) => realm).values();
  const calls = (first ?? []).filter((call) =>
    alike.every((other) => !isSameCall(call, other) || other.result === call.result),
  );
  const after = async (tampering: Tampering[]) =>
    tampering.length > 0 ? { tampering } : { tampering, beside: await beside() };
  if (calls.length === 0) return after([]);
  const { root } = asked.request;
  const fillers = fillersFor(calls, root);
  const dateless = withWholeHistories(calls, (call) => !DATES.test(call.args + call.result));
  const installed = () => repeatCalls(calls, repeat, { isInUse: true, fillers });
  const checkedOut = () => repeatCalls(calls, repeat, { isInUse: true, isCheckout: true });
  const later = () => repeatCalls(dateless, repeat, { aheadMs: YEARS_MS });
  const judge = async (used: Used): Promise<Tampering[]> => judgeUse(calls, used, { check, asked });
  // What reaches outside of the process may meet the other runs there.
  if (calls.some(({ source }) => reachesOutside(root, source)))
    return after(
      await judge({ installed: await installed(), checkedOut: await checkedOut(), later: await later() }),
    );
  const copies = [installed(), checkedOut()] as const;
  const isApart = standsAlone(root);
  const years = later();
  const own = isApart ? await beside(years) : undefined;
  const used = { installed: await copies[0], checkedOut: await copies[1], later: await years };
  const tampering = await judge(used);
  return isApart && tampering.length === 0 ? { tampering, beside: own! } : after(tampering);
}

async function judgeUse(
  calls: readonly RepeatableCall[],
  { installed, checkedOut, later }: Used,
  { check, asked }: { readonly check: Check; readonly asked: ReplayRequest },
): Promise<Tampering[]> {
  const isChanged = ({ at, result }: RepeatableCall): boolean =>
    [installed, checkedOut, later].some((results) => (results.get(at) ?? result) !== result);
  const changed = calls.filter(isChanged);
  if (changed.length === 0) return [];
  const before = await withBase(asked, () => repeatCalls(calls, repeatIn(check, asked)));
  const lapsed = changed.filter(({ at, result }) =>
    [installed, checkedOut, later].some(
      (results) => (results.get(at) ?? result) !== result && results.get(at) === before.get(at),
    ),
  );
  const bySource = Map.groupBy(lapsed, ({ source }) => source);
  return [...bySource].map(([source, own]) => lapses(source, own));
}

/** Calls made in between, for each function. */
const FILLERS = 300;

/** Calls with other arguments of the functions that reach nothing outside of the process. */
function fillersFor(calls: readonly RepeatableCall[], root: string): RepeatableCall[] {
  const first = [...Map.groupBy(calls, keyOf).values()].map(([call]) => call!);
  const plain = first.filter(
    ({ on, kind = 'call', args, source }) =>
      on === undefined && kind === 'call' && !/"[hc]":/.test(args) && !reachesOutside(root, source),
  );
  return plain.flatMap((call) => manyNextTo(call.args, FILLERS).map((args) => ({ ...call, args, at: -1 })));
}

/** True for two calls of a function of the source with the same arguments. */
function isSameCall(a: RepeatableCall, b: RepeatableCall): boolean {
  return a.on === undefined && b.on === undefined && keyOf(a) === keyOf(b) && a.args === b.args;
}
