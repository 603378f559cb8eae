import type { DeliveryOutcome } from '../ports/tree.ts';
import type {
  AttemptSummary,
  CheckSummary,
  Evaluation,
  LoopStatus,
  Usage,
  Verdict,
} from '../schema/generated.ts';
import { RALPH_PATHS } from '../platform/ralph-folder.ts';
import { NO_USAGE } from '../schema/usage.ts';
import type { Attempt } from './attempt.ts';
import { describeEnd } from './describe-end.ts';
import { endedEarly } from './ended-early.ts';
import { summarizeSample } from './samples/to-sample.ts';

export interface VerdictInput {
  readonly loopId: string;
  readonly status: LoopStatus;
  readonly attempts: readonly Attempt[];
  /** The attempt after them that the checks have not judged; absent if there is none. */
  readonly unjudged?: AttemptSummary | undefined;
  readonly baseline: Evaluation;
  readonly best: Attempt | undefined;
  /** Paths relative to the repository's root. */
  readonly reflections: readonly string[];
  readonly delivered: DeliveryOutcome | undefined;
  readonly durationMs: number;
  readonly maxIterations: number;
  /** Usage of attempts, reflections and long-term memory together. */
  readonly usage: Usage;
  /** One sentence on the budget that is spent; undefined if none is. */
  readonly spent: string | undefined;
  /** The command line that confirmed an accepted result; undefined if the project has none. */
  readonly confirmedBy: string | undefined;
  /** Build outputs of other packages in the user's tree that the checks read, relative to the repository's root. */
  readonly carried: readonly string[];
}

/** The verdict of a loop: the object that `--format json` prints. */
export function loopVerdict(input: VerdictInput): Verdict {
  const { attempts, baseline, best, delivered, loopId, unjudged } = input;
  const summaries = [...attempts.map(summarizeAttempt), ...(unjudged === undefined ? [] : [unjudged])];
  const last = best?.evaluation ?? baseline;
  return {
    loop_id: loopId,
    status: input.status,
    verified: input.status === 'passed' || input.status === 'nothing_to_do',
    reason: describeEnd(input),
    reward: last.reward,
    baseline_reward: baseline.reward,
    best_iteration: best?.iteration ?? null,
    iterations: attempts.length,
    attempts: summaries,
    checks: last.checks.map(summarizeCheck),
    usage: input.usage,
    reflections: [...input.reflections],
    patch: best === undefined ? null : patchPath(loopId, best.iteration),
    applied: delivered?.applied ?? 'none',
    branch: delivered?.branch,
    duration_ms: input.durationMs,
    proof: proofOf(input),
  };
}

/** The proof of the result that was delivered or kept. */
function proofOf({ attempts, status }: VerdictInput): Verdict['proof'] {
  return status === 'passed' || status === 'unproven' ? attempts.at(-1)?.proof : undefined;
}

/** Verdict without a loop: for an error before the loop began, a dry run, or a single evaluation. */
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

/** A check result without output and diagnostics. */
export function summarizeCheck(check: Evaluation['checks'][number]): CheckSummary {
  const { name, status, passed, failed, total, errors, weight, score, duration_ms } = check;
  return { name, status, passed, failed, total, errors, weight, score, duration_ms };
}

/** Path of an attempt's patch against the base, relative to the repository's root. */
function patchPath(loopId: string, iteration: number): string {
  return RALPH_PATHS.inAttempt(loopId, iteration, 'patch.diff');
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
    ended_early: endedEarly(attempt),
    samples: attempt.trajectory.samples?.map(summarizeSample),
    tampering: [...attempt.tampering],
  };
}
