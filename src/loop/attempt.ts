import type { ChangeSet, TreeId } from '../ports.ts';
import type { Action, Evaluation, Tampering, Trajectory } from '../schema/generated.ts';

/** One attempt that was judged. */
export interface Attempt {
  /** 1-based. */
  readonly iteration: number;
  readonly trajectory: Trajectory;
  readonly tampering: readonly Tampering[];
  /** What it left, protected files restored. */
  readonly tree: TreeId;
  /** Against the tree that it started from. */
  readonly changes: ChangeSet;
  readonly evaluation: Evaluation;
  /** Better than everything before it, the baseline included. */
  readonly best: boolean;
  /** Its evaluation passed, confirmed, and a change was made where one is required. */
  readonly accepted: boolean;
  readonly durationMs: number;
}

/** Passed before failed, then the higher reward, then the fewer errors: a step that the reward cannot see counts. */
export function isBetter(candidate: Evaluation, than: Evaluation): boolean {
  if (candidate.passed !== than.passed) return candidate.passed;
  if (candidate.reward !== than.reward) return candidate.reward > than.reward;
  return errorCount(candidate) < errorCount(than);
}

/** Failures of all checks together. */
export function errorCount({ metrics, diagnostics, missing_tests }: Evaluation): number {
  const other = diagnostics.filter(({ check, severity }) => severity === 'error' && !isCounted(check)).length;
  return metrics.tests_failed + metrics.type_errors + metrics.lint_errors + missing_tests.length + other;
}

function isCounted(check: string): boolean {
  return check === 'types' || check === 'lint' || check.startsWith('tests');
}

/** The trajectory with an action for each changed file that the actor itself did not name. */
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
