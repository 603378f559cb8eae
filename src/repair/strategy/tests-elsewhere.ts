import type { Claim } from '../choose/confirm-claim.ts';
import type { Candidate } from '../syntax/edit.ts';
import { tryFast } from '../trial/fast-trial.ts';
import type { BoundedSearch } from './group-search.ts';

/** Claims beyond these are not tried on other files. */
const MOST_TRIED = 120;

/**
 * Claims that the group's own tests cannot tell apart, with the failing tests of other files that they fix as well added to
 * those that they fix. Claims that fix fewer tests there than the best one does are left out: one defect is likely the cause
 * of all failures. A single claim is returned as it is.
 */
export async function withTestsElsewhere(
  search: BoundedSearch,
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const { others, fixedElsewhere, bounds, context } = search;
  if (others.length === 0 || claims.length < 2 || claims.length > MOST_TRIED) return claims;
  const untried = claims
    .map(({ candidate }) => candidate)
    .filter((candidate) => !fixedElsewhere.has(candidate));
  for (const target of untried.length === 0 ? [] : others) {
    if (context.signal.aborted || performance.now() > bounds.deadline) break;
    context.onProgress(`trying ${untried.length} of them on ${target.testFile}`);
    const { verdicts } = await tryFast(target, untried, { mode: 'failing', deadline: bounds.deadline });
    for (const { candidate, fixed } of verdicts)
      fixedElsewhere.set(candidate, (fixedElsewhere.get(candidate) ?? 0) + fixed.length);
  }
  return byTestsElsewhere(claims, fixedElsewhere);
}

/**
 * The claims that fix the most tests elsewhere, with these added to what they fix; all, unchanged, if none fixes any there.
 * A claim without a count stays possible: a shared process could not judge it.
 */
export function byTestsElsewhere(
  claims: readonly Claim[],
  fixedElsewhere: ReadonlyMap<Candidate, number>,
): readonly Claim[] {
  const most = Math.max(0, ...claims.map(({ candidate }) => fixedElsewhere.get(candidate) ?? 0));
  if (most === 0) return claims;
  const isBest = ({ candidate }: Claim): boolean => (fixedElsewhere.get(candidate) ?? most) === most;
  return claims
    .filter(isBest)
    .map(({ candidate, fixed }) => ({ candidate, fixed: fixed + (fixedElsewhere.get(candidate) ?? 0) }));
}
