import type { RepeatableCall } from '../replay/repeat-calls.ts';
import { keyOf } from '../replay/replay-request.ts';

/** Calls that are observed, of each function. */
const MAX_CALLS = 12;

/**
 * The calls of functions of the sources, and the constructions that they need: those of each function are of the process that
 * made most calls. A function that the tests call twice with other results remembers something on purpose.
 */
export function observedCalls(recorded: readonly RepeatableCall[]): RepeatableCall[] {
  const realms = [...Map.groupBy(recorded, ({ realm }) => realm).values()];
  const known = new Set<string>();
  return realms
    .toSorted((a, b) => b.length - a.length)
    .flatMap((realm, at) => {
      const own = observedIn(realm, known).map((call) => renumbered(call, at * REALM_SIZE));
      for (const call of own) known.add(keyOf(call));
      return own;
    });
}

/** More calls than one process records. */
const REALM_SIZE = 100_000;

/** A call whose position, and what it names by positions, is moved. */
function renumbered(call: RepeatableCall, by: number): RepeatableCall {
  const { at, on } = call;
  const args = call.args.replaceAll(/"h":(\d+)/g, (_, made) => `"h":${Number(made) + by}`);
  return { ...call, at: at + by, args, ...(on !== undefined && { on: on + by }) };
}

/** The calls of one process, of functions that are not known yet. */
function observedIn(realm: readonly RepeatableCall[], known: ReadonlySet<string>): RepeatableCall[] {
  const own = realm.filter(
    ({ kind = 'call', answers, args }) =>
      (kind === 'call' || kind === 'new') && !answers && !args.includes('"c":'),
  );
  const made = own.filter(({ kind }) => kind === 'new');
  const positions = new Set(made.map(({ at }) => at));
  const isMade = ({ args, on }: RepeatableCall): boolean =>
    (on === undefined || positions.has(on)) &&
    [...args.matchAll(/"h":(\d+)/g)].every(([, at]) => positions.has(Number(at)));
  const called = [
    ...Map.groupBy(
      own.filter((call) => call.kind !== 'new' && !known.has(keyOf(call))),
      keyOf,
    ).values(),
  ]
    .map((all) => ({ all, distinct: [...new Map(all.map((call) => [call.args, call])).values()] }))
    .filter(({ all, distinct }) =>
      distinct.every((call) => all.every((it) => it.args !== call.args || it.result === call.result)),
    )
    .flatMap(({ distinct }) => distinct.filter(isMade).slice(0, MAX_CALLS));
  return called.length === 0 ? [] : [...made, ...called].toSorted((a, b) => a.at - b.at);
}
