import { createContext, Script } from 'node:vm';
import type { CaseStrings } from '../../syntax/case-strings.ts';

const MAX_CHARS = 120;
/** Far more than the comparison needs: so it depends on the strings alone what is found. */
const TIMEOUT_MS = 2000;
const MAX_FAILING = 8;
const MAX_PASSING = 12;
const MATCHES_FAILING = 1.8;
const MATCHES_NONE = 0.5;

/**
 * Matches each pattern with the strings. Runs in a context of its own, because a pattern may take for ever: what was found until
 * the time limit stays in `found`. Patterns that match the failing strings as the first one does are not compared further.
 */
const COMPARE = new Script(`{
  const matchAll = (pattern, strings) => {
    const regex = new RegExp(pattern, flags.replace(/[gy]/g, ''));
    return strings.map((string) => JSON.stringify(regex.exec(string)?.map((part) => part ?? null)) ?? '');
  };
  const countOther = (own, found) => found.filter((match, index) => match !== own[index]).length;
  const [failed, passed] = [matchAll(patterns[0], failing), matchAll(patterns[0], passing)];
  for (const pattern of patterns.slice(1)) {
    const changed = countOther(failed, matchAll(pattern, failing));
    found.push([changed, changed === 0 ? 0 : countOther(passed, matchAll(pattern, passing))]);
  }
}`);

/**
 * A factor for other patterns in place of `pattern`: more if they match the strings of failing cases in another way, less if
 * they do not, or match strings of other cases in another way. 1 for each if no string is known or time runs out.
 */
export function matchFactors(
  pattern: string,
  flags: string,
  { others, cases }: { readonly others: readonly string[]; readonly cases: CaseStrings },
): ReadonlyMap<string, number> {
  const short = (strings: readonly string[]): string[] =>
    strings.filter((string) => string.length <= MAX_CHARS && string !== '');
  const failing = short(cases.failing).slice(0, MAX_FAILING);
  const passing = short(cases.others).slice(0, MAX_PASSING);
  if (failing.length === 0) return new Map();
  const found: [changedFailing: number, changedPassing: number][] = [];
  const context = createContext({ patterns: [pattern, ...others], failing, passing, flags, found });
  try {
    COMPARE.runInContext(context, { timeout: TIMEOUT_MS });
  } catch {
    // The patterns that were compared in time keep their factors.
  }
  return new Map(
    found.map(([changedFailing, changedPassing], index) => [
      others[index]!,
      changedFailing === 0
        ? MATCHES_NONE
        : MATCHES_FAILING * (1 - (0.5 * changedPassing) / Math.max(1, passing.length)),
    ]),
  );
}
