import type { RepeatableCall } from '../replay/repeat-calls.ts';
import { neighboursOf, type Neighbour } from './neighbours.ts';

/** Calls of one function that are tried, and neighbours of each. */
const MAX_CALLS = 12;
const MAX_NEIGHBOURS = 40;

export type Asked = RepeatableCall & Neighbour;

/** The calls by function, each argument list once, that can be made with other arguments; at least one of each. */
export function callsToTry(calls: readonly RepeatableCall[]): RepeatableCall[][] {
  const plain = calls.filter(isPlain);
  const byFunction = Map.groupBy(plain, ({ source, name }) => `${source}\n${name}`);
  return [...byFunction.values()].map(distinct).filter((own) => own.length > 0);
}

/** Calls with arguments next to those of a call, but for the known ones. */
export function neighboursIn(call: RepeatableCall, known: ReadonlySet<string>): Asked[] {
  return neighboursOf(call.args)
    .slice(0, MAX_NEIGHBOURS)
    .map((neighbour) => ({ ...call, ...neighbour }))
    .filter((other) => !known.has(keyOf(other)));
}

export function keyOf({ source, name, args }: RepeatableCall): string {
  return `${source}\n${name}\n${args}`;
}

/** True for a call of a function of the source with arguments that can all be changed, and that it does not change. */
function isPlain({ on, kind, answers, result }: RepeatableCall): boolean {
  const isCall = on === undefined && answers === undefined && (kind === undefined || kind === 'call');
  return isCall && !result.includes('\n');
}

/** Each argument list once; none if the results of equal calls differ. */
function distinct(calls: readonly RepeatableCall[]): RepeatableCall[] {
  const byArgs = Map.groupBy(calls, ({ args }) => args);
  return [...byArgs.values()]
    .filter((own) => own.every(({ result }) => result === own[0]!.result))
    .map(([first]) => first!)
    .slice(0, MAX_CALLS);
}
