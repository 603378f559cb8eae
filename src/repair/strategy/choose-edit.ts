import { plural } from '../../platform/text/plural.ts';
import { chooseConfirmed, rankClaims, type ChoiceRequest } from '../choose/choose.ts';
import type { Claim } from '../choose/confirm-claims.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import { isRuledOut, ruleOutNearest, scoreOf, type BoundedSearch } from './group-search.ts';

/** Signatures that a sentence lists. */
const SHOWN = 5;

/**
 * Chooses the best of claims that the tests cannot tell apart and confirms it in processes of its own. Undefined if no
 * claim holds. The log receives the alternatives.
 */
export async function chooseEdit(
  search: BoundedSearch,
  claims: readonly Claim[],
): Promise<ColdVerdict | undefined> {
  const ranked = await rankClaims(requestOf(search), claims);
  if (ranked.comparedInputs > 0) {
    search.log.addReason(
      `${plural(claims.length, 'edit')} make the failing tests pass; compared on ` +
        `${plural(ranked.comparedInputs, 'input')} like those of the tests.`,
    );
  }
  return await confirmEdit(search, ranked.claims);
}

/** Confirms claims in the order given until one holds; undefined if none does. */
export async function confirmEdit(
  search: BoundedSearch,
  claims: readonly Claim[],
): Promise<ColdVerdict | undefined> {
  const { accepted, alternatives, refuted } = await chooseConfirmed(requestOf(search), claims);
  for (const { candidate, fixed, broken } of refuted) {
    ruleOutNearest(search, candidate, `fixes ${plural(fixed.length, 'test')} and breaks ${broken.length}`);
  }
  const others = alternatives.filter((candidate) => !isRuledOut(search, candidate));
  search.log.alternatives.push(...others);
  if (others.length > 0) {
    const shown = others.slice(0, SHOWN).map(({ signature }) => signature);
    search.log.addReason(`Other edits with the same test results (${others.length}): ${shown.join('; ')}.`);
  }
  return accepted;
}

function requestOf(search: BoundedSearch): ChoiceRequest {
  const { bounds, group, target } = search;
  return { group, target, deadline: bounds.deadline, scoreOf: (candidate) => scoreOf(search, candidate) };
}
