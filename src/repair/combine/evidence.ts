import type { Candidate } from '../syntax/edit.ts';
import type { PairGroup } from './best-pairs.ts';
import type { Placed } from './relations.ts';

/** A single edit and the result of its trial. */
export interface Observation {
  readonly candidate: Candidate;
  /** Suspicion of its place, 0..1. */
  readonly weight: number;
  /** Number of failing tests that pass with it. */
  readonly fixed: number;
  /** Keys of those tests, if known; edits that fix different tests are paired. */
  readonly fixedTests?: readonly string[];
  /** Number of passing tests that fail with it. */
  readonly broken: number;
  /** A failing test failed in another way. */
  readonly moved: boolean;
  /** The edited code ran. */
  readonly reached: boolean;
}

const FIXES = 30;
const MOVES = 2;
const STAYS = 0.6;
const UNREACHED = 0.1;
const COMPLEMENT = 8;
const BREAKER = 4;
/** For an edit of a condition that moved a failure, paired with code that did not run: cancels `UNREACHED`. */
const GATE = 2 / UNREACHED;
const SETS_LIMIT = 24;

/** Factor on an edit's prior as half of a repair, from its trial. `most` is the largest number of tests that one edit fixes. */
export function evidenceOf({ fixed, broken, moved, reached }: Observation, most: number): number {
  if (fixed > 0) return MOVES + (FIXES * fixed) / most / Math.sqrt(1 + broken);
  if (!reached) return UNREACHED;
  return moved ? MOVES : STAYS;
}

/**
 * Groups of pairs that the trials suggest: edits that fix different tests; edits that fix some tests and break others,
 * with all edits of their function; edits of conditions with edits of code that did not run.
 */
export function suggestedGroups(
  singles: readonly (Placed & { readonly observed: Observation })[],
  order: readonly number[],
): PairGroup[] {
  return [...complements(singles, order), ...breakers(singles, order), ...gates(singles, order)];
}

function complements(
  singles: readonly { readonly observed: Observation }[],
  order: readonly number[],
): PairGroup[] {
  const sets = new Map<string, { readonly tests: ReadonlySet<string>; readonly members: number[] }>();
  for (const number of order) {
    const { fixedTests = [] } = singles[number]!.observed;
    if (fixedTests.length === 0) continue;
    const key = [...fixedTests].sort().join('\n');
    if (!sets.has(key) && sets.size < SETS_LIMIT) sets.set(key, { tests: new Set(fixedTests), members: [] });
    sets.get(key)?.members.push(number);
  }
  const list = [...sets.values()];
  return list.flatMap(({ tests, members }, index) =>
    list
      .slice(index + 1)
      .filter((other) => !includesAll(other.tests, tests) && !includesAll(tests, other.tests))
      .map((other) => ({ factor: COMPLEMENT, left: members, right: other.members })),
  );
}

function includesAll(set: ReadonlySet<string>, keys: ReadonlySet<string>): boolean {
  return [...keys].every((key) => set.has(key));
}

function breakers(
  singles: readonly (Placed & { readonly observed: Observation })[],
  order: readonly number[],
): PairGroup[] {
  const owners = Map.groupBy(order, (number) => singles[number]!.place.owner);
  return [...owners.values()].flatMap((right) => {
    const left = right.filter((number) => {
      const { fixed, broken } = singles[number]!.observed;
      return fixed > 0 && broken > 0;
    });
    return left.length === 0 ? [] : [{ factor: BREAKER, left, right }];
  });
}

function gates(
  singles: readonly (Placed & { readonly observed: Observation })[],
  order: readonly number[],
): PairGroup[] {
  const owners = Map.groupBy(order, (number) => singles[number]!.place.owner);
  return [...owners.values()].flatMap((members) => {
    const left = members.filter((number) => {
      const { observed, place } = singles[number]!;
      return observed.moved && place.slot === 'test';
    });
    const right = members.filter((number) => !singles[number]!.observed.reached);
    return left.length === 0 || right.length === 0 ? [] : [{ factor: GATE, left, right }];
  });
}
