import type { Claim } from '../choose/confirm-claim.ts';
import { searchedFiles } from '../localise/searched-files.ts';
import type { Candidate } from '../syntax/edit.ts';
import { reachedSources } from '../syntax/imports.ts';
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
  if (claims.length < 2) return claims;
  await tryElsewhere(search, claims);
  return byTestsElsewhere(claims, search.fixedElsewhere);
}

/**
 * Whether claims fix no failing test of other files although one of these imports what they edit: then they likely only
 * answer their own tests. False if the other tests could not be run.
 */
export async function areLocal(search: BoundedSearch, claims: readonly Claim[]): Promise<boolean> {
  const { context, others, fixedElsewhere } = search;
  const edited = new Set(claims.map(({ candidate }) => candidate.edits[0]!.file));
  const isSource = searchedFiles(context);
  const shares = others.some(({ testFile }) =>
    reachedSources(context.root, testFile, isSource).some(({ file }) => edited.has(file)),
  );
  if (!shares) return false;
  await tryElsewhere(search, claims);
  return claims.every(({ candidate }) => fixedElsewhere.get(candidate) === 0);
}

/** Counts the failing tests of other files that the claims fix. */
async function tryElsewhere(search: BoundedSearch, claims: readonly Claim[]): Promise<void> {
  const { others, fixedElsewhere, bounds, context } = search;
  if (claims.length > MOST_TRIED) return;
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
