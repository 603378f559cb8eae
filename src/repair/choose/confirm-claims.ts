import type { AttemptContext } from '../../ports.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { FailureGroup } from '../localise/failures.ts';
import { tryCold, type ColdVerdict } from '../trial/cold-trial.ts';

/** A candidate and the number of tests that it fixed in a fast trial. */
export interface Claim {
  readonly candidate: Candidate;
  readonly fixed: number;
}

/** The result of confirming claims. */
export interface Confirmation {
  /** The best candidate that fixes a test and breaks none, if any. */
  readonly accepted?: ColdVerdict;
  /** Other candidates that fix a test and break none, best first. */
  readonly plausible: readonly ColdVerdict[];
  /** Candidates that fix nothing or break a test. */
  readonly refuted: readonly ColdVerdict[];
}

const MAX_CONFIRMED = 8;
const ENOUGH_PLAUSIBLE = 3;
const WHOLE_SUITE_MS = 10_000;
const MAX_FILES = 8;
const TIMEOUT_MS = 60_000;

/**
 * Runs claims in order, each in processes of its own: the whole suite if it takes at most 10 s, otherwise the files
 * with failing tests. Stops at the first claim that holds and passes the type checker and the linter, or at the
 * deadline (`performance.now()`).
 */
export async function confirmClaims(
  context: AttemptContext,
  group: FailureGroup,
  { claims, deadline }: { claims: readonly Claim[]; deadline: number },
): Promise<Confirmation> {
  const plausible: ColdVerdict[] = [];
  const refuted: ColdVerdict[] = [];
  const files = filesToRun(context, group);
  for (const [index, { candidate, fixed }] of claims.slice(0, MAX_CONFIRMED).entries()) {
    // The first claim is confirmed even after the deadline: without that run the search was in vain.
    if (context.signal.aborted || (index > 0 && performance.now() > deadline)) break;
    context.onProgress(`confirming ${candidate.signature}`);
    const verdict = await tryCold(context, candidate, {
      check: group.check,
      files,
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
  const [accepted, ...rest] = plausible.sort(compareVerdicts);
  return { accepted, plausible: rest, refuted };
}

/** Fewer other checks spoiled first, then more tests fixed; the order of the claims otherwise. */
function compareVerdicts(a: ColdVerdict, b: ColdVerdict): number {
  return a.spoiledChecks.length - b.spoiledChecks.length || b.fixed.length - a.fixed.length;
}

function filesToRun({ evaluation }: AttemptContext, group: FailureGroup): string[] | undefined {
  const check = evaluation.checks.find(({ name }) => name === group.check);
  if (check !== undefined && check.duration_ms <= WHOLE_SUITE_MS) return undefined;
  const failing = evaluation.tests.filter(({ status }) => status === 'failed').map(({ file }) => file);
  const files = [group.file, ...failing].filter((file) => file !== undefined);
  return [...new Set(files)].slice(0, MAX_FILES);
}
