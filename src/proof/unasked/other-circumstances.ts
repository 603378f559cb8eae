import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { withBase } from '../base-sources.ts';
import { repeatCalls, type RepeatableCall, type RepeatRequest } from '../replay/repeat-calls.ts';
import { repeatIn, type ReplayRequest } from '../replay/replay-request.ts';
import { shownArguments, shownResult } from '../replay/shown-values.ts';

/** Longer than any pause by which code waits for something else, and shorter than what a test waits for. */
const ANSWERS_AFTER_MS = 400;
/** Another language of numbers and names, in a zone with half hours on the other side of the date. */
const ELSEWHERE = { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8', LANGUAGE: 'de', TZ: 'Pacific/Marquesas' };
/** Calls that use the language or the time zone. */
const ASKS_PLACE = /toLocale\w*\(|\bIntl\b|localeCompare|\bDate\b/;

/**
 * A sentence on a call that is what it was before the change as soon as an asynchronous function that it is given takes
 * longer; undefined if there is none. With numbers among its arguments, a call may set a limit to that.
 */
export async function findSlowAnswer(
  check: Check,
  asked: ReplayRequest,
  alike: readonly RepeatableCall[],
): Promise<string | undefined> {
  const given = alike.filter(({ answers }) =>
    Object.values(answers ?? {})
      .flat()
      .some((it) => it.isAsync),
  );
  const tried = given.filter(({ args }) => !/[[,]\d/.test(args));
  if (tried.length === 0 || asked.request.signal.aborted) return undefined;
  const own = alike.filter(({ realm }) => realm === tried[0]!.realm);
  const repeat = (): Promise<ReadonlyMap<number, string>> =>
    repeatCalls(own, repeatIn(check, asked), { answersAfterMs: ANSWERS_AFTER_MS });
  const now = await repeat();
  const other = tried.filter(
    ({ at, result }) => now.has(at) && now.get(at) !== result && own.some((it) => it.at === at),
  );
  if (other.length === 0) return undefined;
  const before = await withBase(asked, repeat);
  const found = other.find(({ at }) => before.get(at) === now.get(at));
  return (
    found &&
    `${found.name} of ${found.source} does not wait for what it is given: if that takes ${ANSWERS_AFTER_MS} ms, it returns what it did before the change. Await it in place of a pause; if it is meant, --allow ${found.source} permits it.`
  );
}

/** A sentence on a call whose result depends on the language or the time zone of the machine, which it did not before. */
export async function findPlaceBound(
  check: Check,
  asked: ReplayRequest,
  calls: readonly RepeatableCall[],
): Promise<string | undefined> {
  const asks = asked.sources.some((source) => ASKS_PLACE.test(textOf(join(asked.request.root, source))));
  // A moment that a test makes in its own zone is another one elsewhere.
  const tried = calls.filter(({ args }) => !args.includes('{"d":'));
  if (!asks || tried.length === 0 || asked.request.signal.aborted) return undefined;
  const here = repeatIn(check, asked);
  const there: RepeatRequest = { ...here, env: { ...here.env, ...ELSEWHERE } };
  const now = await repeatCalls(tried, there);
  const other = tried.filter(({ at, result }) => now.has(at) && now.get(at) !== result);
  if (other.length === 0) return undefined;
  const [before, elsewhere] = await withBase(asked, async () => [
    await repeatCalls(tried, here),
    await repeatCalls(tried, there),
  ]);
  const found = other.find(({ at }) => before!.has(at) && before!.get(at) === elsewhere!.get(at));
  return (
    found &&
    `${found.name} of ${found.source}, for the arguments ${shownArguments(found)}, returns ${shownResult(found.result)} here, and ${shownResult(now.get(found.at)!)} on a machine with another language and time zone, which did not matter before. Name the language or the zone; if the machine's is meant, --allow ${found.source} permits it.`
  );
}
