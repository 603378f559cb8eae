import { plural } from '../../platform/text/plural.ts';
import type { Claim } from '../choose/confirm-claim.ts';
import { removedTypeErrors } from '../fixers/count-type-errors.ts';
import type { Candidate } from '../syntax/edit.ts';
import { scoreOf, type BoundedSearch } from './group-search.ts';

/** Claims beyond these are not checked. */
const MOST_CHECKED = 60;

/**
 * Claims whose edits remove the most errors of a type check that is red; all, unchanged, if none removes any. A defect that breaks tests often breaks types as well, so that its repair makes both green.
 */
export async function withTypeErrors(
  search: BoundedSearch,
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const { context, log, removedErrors } = search;
  const untried = claims
    .map(({ candidate }) => candidate)
    .filter((candidate) => !removedErrors.has(candidate))
    .sort((a, b) => scoreOf(search, b) - scoreOf(search, a))
    .slice(0, MOST_CHECKED);
  for (const [candidate, removed] of await removedTypeErrors(context, untried))
    removedErrors.set(candidate, removed);
  const kept = byTypeErrors(claims, removedErrors);
  if (kept !== claims)
    log.addReason(`${plural(kept.length, 'edit')} of ${claims.length} also removed the most type errors.`);
  return kept;
}

/** A claim without a count is left out if another removes errors. */
export function byTypeErrors(
  claims: readonly Claim[],
  removedErrors: ReadonlyMap<Candidate, number>,
): readonly Claim[] {
  const removedBy = ({ candidate }: Claim): number => removedErrors.get(candidate) ?? 0;
  const most = Math.max(0, ...claims.map(removedBy));
  if (most === 0) return claims;
  return claims.filter((claim) => removedBy(claim) === most);
}
