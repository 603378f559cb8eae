import type { ChangeSet, TreeId } from '../ports/tree.ts';
import { compareFailures } from '../schema/compare-failures.ts';
import type { Action, Evaluation, Proof, Tampering, Trajectory } from '../schema/generated.ts';

/** One evaluated attempt. */
export interface Attempt {
  /** 1-based. */
  readonly iteration: number;
  /** The attempt whose tree it started from; 0: the base. */
  readonly startedFrom: number;
  readonly trajectory: Trajectory;
  readonly tampering: readonly Tampering[];
  /** The tree after the attempt, with protected files restored. */
  readonly tree: TreeId;
  /** Changes against the tree that the attempt started from. */
  readonly changes: ChangeSet;
  readonly evaluation: Evaluation;
  /** True if it is better than the baseline and every earlier attempt. */
  readonly best: boolean;
  /** True if it is verified: the confirmed evaluation passed and a criterion proves it. */
  readonly accepted: boolean;
  /** True if it passed, and nothing proves that the task is done. */
  readonly unproven: boolean;
  /** Present if it is accepted or unproven. */
  readonly proof?: Proof | undefined;
  /** One sentence: why it is not accepted although its checks pass. */
  readonly refusal?: string | undefined;
  readonly durationMs: number;
}

/**
 * Passed before failed, then the higher reward, then fewer errors, because the reward does not show every fixed error. Fewer
 * errors count only where nothing is hidden by checks that did not run to their end. A tree in which a test that passes in the other one fails, or did not run, is never better, whatever else it fixes.
 */
export function isBetter(candidate: Evaluation, other: Evaluation): boolean {
  if (candidate.passed !== other.passed) return candidate.passed;
  if (breaksTest(candidate, other)) return false;
  if (candidate.reward !== other.reward) return candidate.reward > other.reward;
  return errorCount(candidate) < errorCount(other) && compareFailures(other, candidate).unseen.length === 0;
}

function breaksTest(candidate: Evaluation, other: Evaluation): boolean {
  const failed = candidate.tests.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const failing = new Set([...failed, ...candidate.missing_tests]);
  return other.tests.some(({ id, status }) => status === 'passed' && failing.has(id));
}

/** Number of failures and errors of all checks, tests that did not run included. */
function errorCount(evaluation: Evaluation): number {
  return reportedErrors(evaluation) + evaluation.missing_tests.length;
}

/** Number of failures and errors that the checks report, as in the metrics of a record. */
export function reportedErrors({ metrics, diagnostics }: Evaluation): number {
  const other = diagnostics.filter(({ check, severity }) => severity === 'error' && !isCounted(check)).length;
  return metrics.tests_failed + metrics.type_errors + metrics.lint_errors + other;
}

function isCounted(check: string): boolean {
  return check === 'types' || check === 'lint' || check.startsWith('tests');
}

/** The trajectory with one more action for each changed file that the actor's own actions do not name. */
export function completeTrajectory(trajectory: Trajectory, changes: ChangeSet): Trajectory {
  const named = new Set(trajectory.actions.map(({ file_path }) => file_path));
  const unnamed = changes.files.filter(({ path }) => !named.has(path));
  return { ...trajectory, actions: [...trajectory.actions, ...unnamed.map(toAction)].slice(0, 2000) };
}

const ACTION_OF_KIND = {
  added: 'file_creation',
  modified: 'code_modification',
  deleted: 'file_deletion',
} as const;
const VERB_OF_KIND = { added: 'Created', modified: 'Changed', deleted: 'Deleted' } as const;

function toAction({ path, kind, linesAdded, linesDeleted }: ChangeSet['files'][number]): Action {
  return {
    type: ACTION_OF_KIND[kind],
    description: `${VERB_OF_KIND[kind]} ${path} (+${linesAdded} −${linesDeleted}).`.slice(0, 2000),
    file_path: path,
    changes: { additions: linesAdded, deletions: linesDeleted },
  };
}
