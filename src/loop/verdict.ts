import type { DeliveryOutcome } from '../ports.ts';
import type {
  AttemptSummary,
  CheckSummary,
  Evaluation,
  LoopStatus,
  Usage,
  Verdict,
} from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';
import type { Attempt } from './attempt.ts';
import { reasonOf } from './reason.ts';

export interface VerdictInput {
  readonly loopId: string;
  readonly status: LoopStatus;
  readonly attempts: readonly Attempt[];
  readonly baseline: Evaluation;
  readonly best: Attempt | undefined;
  /** Paths relative to the repository's root. */
  readonly reflections: readonly string[];
  readonly delivered: DeliveryOutcome | undefined;
  readonly durationMs: number;
  readonly maxIterations: number;
  /** Of attempts and reflections together. */
  readonly usage: Usage;
  /** Which budget is spent, as a sentence. */
  readonly spent: string | undefined;
}

/** The one object that `--format json` prints at the end of a loop. */
export function loopVerdict(input: VerdictInput): Verdict {
  const { attempts, baseline, best, delivered, loopId } = input;
  const last = best?.evaluation ?? baseline;
  return {
    loop_id: loopId,
    status: input.status,
    verified: input.status === 'passed' || input.status === 'nothing_to_do',
    reason: reasonOf(input),
    reward: last.reward,
    baseline_reward: baseline.reward,
    best_iteration: best?.iteration ?? null,
    iterations: attempts.length,
    attempts: attempts.map(summarizeAttempt),
    checks: last.checks.map(summarizeCheck),
    usage: input.usage,
    reflections: [...input.reflections],
    patch: best === undefined ? null : patchPath(loopId, best.iteration),
    applied: delivered?.applied ?? 'none',
    ...(delivered?.branch !== undefined && { branch: delivered.branch }),
    duration_ms: input.durationMs,
  };
}

/** The verdict of what was no loop: an error before it began, a dry run, one evaluation. */
export function blankVerdict(status: LoopStatus, reason: string): Verdict {
  return {
    loop_id: null,
    status,
    verified: false,
    reason,
    reward: 0,
    baseline_reward: 0,
    best_iteration: null,
    iterations: 0,
    attempts: [],
    checks: [],
    usage: NO_USAGE,
    reflections: [],
    patch: null,
    applied: 'none',
    duration_ms: 0,
  };
}

/** A check without its output and diagnostics. */
export function summarizeCheck(check: Evaluation['checks'][number]): CheckSummary {
  const { name, status, passed, failed, total, errors, weight, score, duration_ms } = check;
  return { name, status, passed, failed, total, errors, weight, score, duration_ms };
}

/** Where an attempt's patch against the base lies, relative to the repository's root. */
export function patchPath(loopId: string, iteration: number): string {
  return `.aiwg/ralph/loops/${loopId}/attempts/${String(iteration).padStart(3, '0')}/patch.diff`;
}

function summarizeAttempt(attempt: Attempt): AttemptSummary {
  const { changes, evaluation } = attempt;
  return {
    iteration: attempt.iteration,
    reward: evaluation.reward,
    passed: attempt.accepted,
    files_changed: changes.files.length,
    lines_added: changes.linesAdded,
    lines_deleted: changes.linesDeleted,
    duration_ms: attempt.durationMs,
    tampering: [...attempt.tampering],
  };
}
