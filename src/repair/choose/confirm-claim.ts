import { shownEdit } from '../../schema/shown-edit.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { FailureGroup } from '../localise/failures.ts';
import { tryCold, type ColdVerdict } from '../trial/cold-trial.ts';

/** A candidate and the number of tests that it fixed in a fast trial. */
export interface Claim {
  readonly candidate: Candidate;
  readonly fixed: number;
}

/** The result of confirming a claim. */
export interface Confirmation {
  readonly verdict: ColdVerdict;
  /** Whether the candidate fixes a test and breaks none. */
  readonly holds: boolean;
}

const WHOLE_SUITE_MS = 10_000;
const MAX_FILES = 8;
const TIMEOUT_MS = 60_000;

/**
 * Runs a claim in processes of its own: the whole suite if it takes at most 10 s, otherwise the files with failing tests,
 * then the type checker and the linter. Undefined if the signal is aborted.
 */
export async function confirmClaim(
  context: AttemptContext,
  group: FailureGroup,
  { candidate }: Claim,
): Promise<Confirmation | undefined> {
  if (context.signal.aborted) return undefined;
  context.onProgress(`confirming ${shownEdit(candidate.signature)}`);
  const verdict = await tryCold(context, candidate, {
    check: group.check,
    files: filesToRun(context, group),
    before: context.evaluation.tests,
    timeoutMs: TIMEOUT_MS,
    otherChecks: true,
  });
  if (context.signal.aborted) return undefined;
  return { verdict, holds: verdict.fixed.length > 0 && verdict.broken.length === 0 };
}

function filesToRun({ evaluation, project }: AttemptContext, group: FailureGroup): string[] | undefined {
  const check = evaluation.checks.find(({ name }) => name === group.check);
  if (check !== undefined && check.duration_ms <= WHOLE_SUITE_MS) return undefined;
  // The ids of a program's tests depend on the files that it runs.
  if (project.checks.find(({ name }) => name === group.check)?.tool === 'command') return undefined;
  const failing = evaluation.tests.filter(({ status }) => status === 'failed').map(({ file }) => file);
  const files = [group.file, ...failing].filter((file) => file !== undefined);
  return [...new Set(files)].slice(0, MAX_FILES);
}
