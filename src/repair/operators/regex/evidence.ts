import { createContext, Script, type Context } from 'node:vm';
import type { CaseStrings } from '../../syntax/case-strings.ts';

const MAX_CHARS = 120;
const MAX_FAILING = 8;
const MAX_PASSING = 12;
const MATCHES_FAILING = 1.8;
const MATCHES_NONE = 0.5;
/** Of a pattern that takes for ever: what it matches is not known, and no repair should. */
const HANGS = 0.1;
/** A comparison takes microseconds, one that hangs is cut off; nothing else can run meanwhile. */
const CALL_MS = 250;
/** A call begins no further pattern after this time, so that one that is cut off has itself taken long. */
const BATCH_MS = 50;
/** What all comparisons with the same strings may take beyond the time of patterns that do not take long. */
const TOTAL_MS = 1000;
const FREE_MS = 0.5;

/**
 * Matches each pattern with the strings, in a context of its own, because a pattern may take for ever: what was found until the
 * time limit stays in `found`. Patterns that match the failing strings as the first one does are not compared further.
 */
const COMPARE = new Script(`{
  const { patterns, failing, passing, flags, found, until } = input;
  const matchAll = (pattern, strings) => {
    const regex = new RegExp(pattern, flags.replace(/[gy]/g, ''));
    return strings.map((string) => JSON.stringify(regex.exec(string)?.map((part) => part ?? null)) ?? '');
  };
  const countOther = (own, found) => found.filter((match, index) => match !== own[index]).length;
  input.own ??= [matchAll(patterns[0], failing), matchAll(patterns[0], passing)];
  const [failed, passed] = input.own;
  while (found.length + 1 < patterns.length && Date.now() < until) {
    const pattern = patterns[found.length + 1];
    const changed = countOther(failed, matchAll(pattern, failing));
    found.push([changed, changed === 0 ? 0 : countOther(passed, matchAll(pattern, passing))]);
  }
}`);

/** In how many failing and passing strings a pattern has another match. */
type Compared = readonly [changedFailing: number, changedPassing: number] | 'hangs';

interface Comparison {
  /** The pattern of the file, then the others. */
  readonly patterns: readonly string[];
  readonly failing: readonly string[];
  readonly passing: readonly string[];
  readonly flags: string;
  /** Of the other patterns, in order. */
  readonly found: Compared[];
  /** Set as soon as the pattern of the file was matched. */
  own?: unknown;
}

/**
 * A factor for other patterns in place of `pattern`: more if they match the strings of failing cases in another way, less if
 * they do not, or match strings of other cases in another way, least if that takes for ever. No factor where no string is known,
 * the pattern itself takes for ever, or patterns that do have spent the time for these cases.
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
  const comparison: Comparison = { patterns: [pattern, ...others], failing, passing, flags, found: [] };
  compare(comparison, cases);
  const factorOf = (compared: Compared): number => {
    if (compared === 'hangs') return HANGS;
    const [changedFailing, changedPassing] = compared;
    return changedFailing === 0
      ? MATCHES_NONE
      : MATCHES_FAILING * (1 - (0.5 * changedPassing) / Math.max(1, passing.length));
  };
  return new Map(comparison.found.map((compared, index) => [others[index]!, factorOf(compared)]));
}

const leftMs = new WeakMap<CaseStrings, number>();
let context: Context | undefined;

/** Compares until all is found, the pattern of the file itself hangs, or the time is spent. */
function compare(comparison: Comparison, cases: CaseStrings): void {
  const { found, patterns } = comparison;
  context ??= createContext({});
  while (found.length + 1 < patterns.length) {
    const left = leftMs.get(cases) ?? TOTAL_MS;
    if (left < 1) return;
    const started = performance.now();
    const before = found.length;
    const timeout = Math.ceil(Math.min(CALL_MS, left));
    context['input'] = Object.assign(comparison, { until: Date.now() + Math.min(BATCH_MS, left) });
    try {
      COMPARE.runInContext(context, { timeout });
    } catch {
      if (comparison.own === undefined) return;
      found.push('hangs');
    } finally {
      const free = FREE_MS * (found.length - before);
      leftMs.set(cases, left - Math.max(0, performance.now() - started - free));
    }
  }
}
