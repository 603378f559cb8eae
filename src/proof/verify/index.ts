import { createTreePaths } from '../../checks/results/tree-paths.ts';
import type { TreeAudit } from '../../ports/evaluation.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { failedHoldout, passesHoldout } from '../holdout.ts';
import { rejectTampered, withFailedCheck } from '../rejected-evaluation.ts';
import { noteRuns } from '../stability.ts';
import { NOTHING } from './in-sources.ts';
import { findHollow, findSilent } from './silent.ts';
import { findTampering } from './tampering.ts';
import { findUnstable } from './unstable.ts';
import { isCandidate, type Verification } from './verification.ts';

/** Name of the check that reports tests that do not pass each time. */
export const STABILITY = 'stability';

/** Most files that a baseline stores of those that its checks write. */
const MOST_WRITTEN = 5000;

/** Name of the check that reports commands and tests that pass for nothing. */
const CRITERIA = 'criteria';

/**
 * The evaluation, or its rejection. Tampering that was found before the checks ran always rejects the tree. An
 * evaluation that passes is verified further: changes that the checks made to the tree, files that they no longer
 * check, canaries, and at last the held-out checks. A baseline is never rejected: it only records which files its
 * checks change and write.
 */
export async function verifyEvaluation(
  evaluation: Evaluation,
  verification: Verification,
): Promise<Evaluation> {
  const { evaluation: asked, holdout, request, sandbox } = verification;
  const { root, baseline } = asked;
  const noted = new Map(verification.checks.map((check) => [check, noteRuns(check)]));
  if (baseline === undefined) return withChangesByChecks(evaluation, await asked.audit?.(verification.since));
  const known = asked.refused ?? [];
  const { tampering, narrow } = evaluation.passed
    ? await findTampering(baseline, verification, noted)
    : NOTHING;
  const found = [...known, ...tampering];
  if (found.length > 0) return rejectTampered(evaluation, found, createTreePaths(root, root));
  if (!evaluation.passed || !isCandidate(asked)) return evaluation;
  if (narrow !== undefined) return withFailedCheck(evaluation, CRITERIA, { message: narrow, root });
  const hollow =
    (await findHollow(baseline, verification)) ?? (await findSilent(baseline, verification, noted));
  if (hollow !== undefined) return withFailedCheck(evaluation, CRITERIA, { message: hollow, root });
  const unstable = await findUnstable(baseline, verification, noted);
  if (unstable !== undefined) return withFailedCheck(evaluation, STABILITY, { message: unstable, root });
  if (holdout === undefined) return evaluation;
  const { timeoutMs, signal } = request;
  const unused = await verification.openUnused();
  const place = unused ?? { root, sandbox };
  try {
    const passes = await passesHoldout(holdout, {
      root: place.root,
      sandbox: place.sandbox,
      ownFolder: unused?.root,
      timeoutMs,
      signal,
    });
    return passes ? evaluation : failedHoldout(evaluation, root);
  } finally {
    await unused?.close();
  }
}

function withChangesByChecks(evaluation: Evaluation, audit: TreeAudit | undefined): Evaluation {
  if (audit === undefined) return evaluation;
  const { tampering, written } = audit;
  return {
    ...evaluation,
    ...(tampering.length > 0 && { tampering: [...tampering] }),
    ...(written.length > 0 && { written_files: written.slice(0, MOST_WRITTEN) }),
  };
}
