import type { AttemptContext } from '../../ports.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { FailureGroup } from '../localise/failures.ts';
import { tryCold, type ColdVerdict } from './cold-trial.ts';

/** A candidate and the number of tests that it is said to fix. */
export interface Claim {
  readonly candidate: Candidate;
  readonly fixed: number;
}

export interface Verification {
  /** The best of those that fix something and break nothing, if any. */
  readonly accepted?: ColdVerdict;
  /** Others that would do as far as the tests can tell, best first. */
  readonly plausible: readonly ColdVerdict[];
  readonly refuted: readonly ColdVerdict[];
}

const MAX_VERIFIED = 8;
const ENOUGH_PLAUSIBLE = 3;
const WHOLE_SUITE_MS = 10_000;
const MAX_FILES = 8;
const TIMEOUT_MS = 60_000;

/**
 * Tries claims in their order, each in processes of its own: the whole suite where it is quick, otherwise every
 * file with failing tests. Stops at the first that keeps all its promises and leaves types and lint as they were.
 */
export async function verifyClaims(
  context: AttemptContext,
  group: FailureGroup,
  { claims, deadline }: { claims: readonly Claim[]; deadline: number },
): Promise<Verification> {
  const plausible: ColdVerdict[] = [];
  const refuted: ColdVerdict[] = [];
  const files = filesToRun(context, group);
  for (const [index, { candidate, fixed }] of claims.slice(0, MAX_VERIFIED).entries()) {
    // The best of them is worth the time of one run, whatever it took to find it.
    if (context.signal.aborted || (index > 0 && performance.now() > deadline)) break;
    context.onProgress(`confirming ${candidate.signature}`);
    const verdict = await tryCold(context, candidate, {
      check: group.check,
      ...(files && { files }),
      before: context.evaluation.tests,
      timeoutMs: TIMEOUT_MS,
      otherChecks: true,
    });
    if (context.signal.aborted) break;
    if (verdict.fixed.length === 0 || verdict.broken.length > 0) {
      refuted.push(verdict);
      continue;
    }
    plausible.push(verdict);
    if (verdict.fixed.length >= fixed && verdict.spoiledChecks.length === 0) break;
    if (plausible.length >= ENOUGH_PLAUSIBLE) break;
  }
  const [accepted, ...rest] = plausible.sort(byMerit);
  return { ...(accepted && { accepted }), plausible: rest, refuted };
}

/** Fewer other checks spoiled first, then more tests fixed; the order of the claims otherwise. */
function byMerit(a: ColdVerdict, b: ColdVerdict): number {
  return a.spoiledChecks.length - b.spoiledChecks.length || b.fixed.length - a.fixed.length;
}

function filesToRun({ evaluation }: AttemptContext, group: FailureGroup): string[] | undefined {
  const check = evaluation.checks.find(({ name }) => name === group.check);
  if (check !== undefined && check.duration_ms <= WHOLE_SUITE_MS) return undefined;
  const failing = evaluation.tests.filter(({ status }) => status === 'failed').map(({ file }) => file);
  const files = [group.file, ...failing].filter((file) => file !== undefined);
  return [...new Set(files)].slice(0, MAX_FILES);
}
