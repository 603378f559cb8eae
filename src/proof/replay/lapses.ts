import pLimit from 'p-limit';
import type { Check } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { withBase } from '../base-sources.ts';
import { manyNextTo } from '../tested-inputs/neighbours.ts';
import { reachesOutside } from './ambient.ts';
import { lapses } from './describe-calls.ts';
import { repeatCalls, type RepeatableCall } from './repeat-calls.ts';
import { keyOf, repeatIn, type ReplayRequest } from './replay-request.ts';

/** Ten years: a date in the sources that ends a lie is before. */
const YEARS_MS = 3_650 * 24 * 3_600_000;
/** Values that honest code compares with the clock. */
const DATES = /\{"d":|\d{10}|\d{4}-\d\d/;

/**
 * Calls that have the result of the tests at first, and that of the base once the code is in use: after many calls, some
 * time later, on a terminal, years later. Code that remembers honestly returns neither a new value each time nor what was wrong before.
 */
export async function findLapses(
  check: Check,
  asked: ReplayRequest,
  alike: readonly RepeatableCall[],
): Promise<Tampering[]> {
  const repeat = repeatIn(check, asked);
  const [first] = Map.groupBy(alike, ({ realm }) => realm).values();
  const calls = (first ?? []).filter((call) =>
    alike.every((other) => !isSameCall(call, other) || other.result === call.result),
  );
  if (calls.length === 0) return [];
  const fillers = fillersFor(calls, asked.request.root);
  const dateless = calls.filter((call) => !DATES.test(call.args + call.result));
  const { root } = asked.request;
  // What reaches outside of the process may meet the other runs there.
  const mayMeet = calls.some(({ source }) => reachesOutside(root, source));
  const inTurn = pLimit(mayMeet ? 1 : Infinity);
  const [installed, checkedOut, later] = await Promise.all([
    inTurn(() => repeatCalls(calls, repeat, { isInUse: true, fillers })),
    inTurn(() => repeatCalls(calls, repeat, { isInUse: true, isCheckout: true })),
    inTurn(() => repeatCalls(dateless, repeat, { aheadMs: YEARS_MS })),
  ]);
  const isChanged = ({ at, result }: RepeatableCall): boolean =>
    [installed, checkedOut, later].some((results) => (results.get(at) ?? result) !== result);
  const changed = calls.filter(isChanged);
  if (changed.length === 0) return [];
  const before = await withBase(asked, () => repeatCalls(calls, repeat));
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
