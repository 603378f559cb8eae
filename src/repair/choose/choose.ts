import { plural } from '../../platform/text/plural.ts';
import { answersTest } from './answers.ts';
import { compareBehaviours } from './behaviours.ts';
import { rankByMerit } from './merit.ts';
import { isRefuted, refute, scoreOf, type Search } from '../strategy/search-state.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import { verifyClaims, type Claim } from '../trial/verify.ts';

/** More plausible candidates than these are not compared with each other. */
const MOST_COMPARED = 80;
const SHOWN = 5;

/**
 * The best of claims that the tests cannot tell apart, confirmed in processes of its own; the others are told.
 * Undefined when none of those that were tried keeps its promise.
 */
export async function choose(search: Search, claims: readonly Claim[]): Promise<ColdVerdict | undefined> {
  const ranked = await rank(search, claims);
  return await confirm(search, ranked);
}

async function rank(search: Search, claims: readonly Claim[]): Promise<Claim[]> {
  const inOrder = [...claims].sort(
    (a, b) => b.fixed - a.fixed || scoreOf(search, b.candidate) - scoreOf(search, a.candidate),
  );
  if (inOrder.length < 2) return inOrder;
  const compared = inOrder.slice(0, MOST_COMPARED);
  const candidates = compared.map(({ candidate }) => candidate);
  const behaviours = await compareBehaviours({ ...search.ground, only: undefined }, candidates);
  const expected = search.group.diagnostics.flatMap((diagnostic) => diagnostic.expected ?? []);
  const merits = rankByMerit(
    candidates.map((candidate) => ({
      candidate,
      score: scoreOf(search, candidate),
      answers: answersTest(candidate, expected),
    })),
    behaviours,
  );
  if (behaviours.original.length > 0) {
    search.log.reason(
      `${claims.length} edits make the failing tests pass; compared on ${behaviours.original.length} inputs like those of the tests.`,
    );
  }
  const place = new Map(merits.map((candidate, index) => [candidate, index]));
  const placeOf = ({ candidate }: Claim): number => place.get(candidate) ?? merits.length;
  return inOrder.sort((a, b) => b.fixed - a.fixed || placeOf(a) - placeOf(b));
}

/** Tries claims in their order until one keeps its promise. */
export async function confirm(search: Search, claims: readonly Claim[]): Promise<ColdVerdict | undefined> {
  if (claims.length === 0) return undefined;
  const { bounds, context, group, log } = search;
  const { accepted, plausible, refuted } = await verifyClaims(context, group, {
    claims,
    deadline: bounds.deadline,
  });
  for (const { candidate, fixed, broken } of refuted) {
    refute(search, candidate, `fixes ${plural(fixed.length, 'test')} and breaks ${broken.length}`);
  }
  if (accepted === undefined) return undefined;
  const others = [...plausible, ...claims].map(({ candidate }) => candidate);
  const alternatives = [...new Set(others)].filter(
    (candidate) => candidate !== accepted.candidate && !isRefuted(search, candidate),
  );
  log.alternatives.push(...alternatives);
  if (alternatives.length > 0) {
    const shown = alternatives.slice(0, SHOWN).map(({ signature }) => signature);
    log.reason(
      `Other edits that would do as far as the tests tell (${alternatives.length}): ${shown.join('; ')}.`,
    );
  }
  return accepted;
}
