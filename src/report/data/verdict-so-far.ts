import { blankVerdict, summarizeCheck } from '../../loop/verdict.ts';
import type { LoopState, Verdict } from '../../schema/generated.ts';
import { sumUsage } from '../../schema/usage.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { LoopRecord } from './loop-record.ts';

/** The known parts of a loop without a verdict. */
export interface Unfinished extends Pick<LoopRecord, 'loopId' | 'status' | 'attempts' | 'baseline'> {
  readonly state: LoopState | null;
}

const REASONS: Readonly<Partial<Record<LoopRecord['status'], string>>> = {
  running: 'The loop is still running; this is its current state.',
  interrupted: 'The loop ended without a verdict: it was killed, or its state is lost.',
  error: 'The loop could not continue.',
};

/** Derives the verdict of a loop without one from its attempts. Verified only if the saved state says so. */
export function verdictSoFar({ loopId, status, state, attempts, baseline }: Unfinished): Verdict {
  const best = attempts.findLast((attempt) => attempt.best);
  const last = best?.evaluation ?? baseline;
  const ended = status === 'running' || status === 'interrupted' ? 'aborted' : status;
  const reason = REASONS[status] ?? `The loop ended as ${status}; the verdict itself is not stored.`;
  return {
    ...blankVerdict(ended, reason),
    loop_id: loopId,
    verified: status === 'passed' || status === 'nothing_to_do',
    reward: last?.reward ?? state?.reward ?? 0,
    baseline_reward: baseline?.reward ?? state?.baseline_reward ?? 0,
    best_iteration: best?.iteration ?? null,
    iterations: attempts.length,
    attempts: attempts.flatMap(summaryOf),
    checks: (last?.checks ?? []).map(summarizeCheck),
    usage: sumUsage(attempts.flatMap(({ usage }) => usage)),
    reflections: attempts.flatMap(({ reflectionPath }) => reflectionPath ?? []),
    patch: best?.patch?.path ?? null,
    applied: state?.applied ?? 'none',
    branch: state?.branch,
    duration_ms: attempts.reduce(
      (sum, { durationMs }) => sum + (durationMs ?? 0),
      baseline?.duration_ms ?? 0,
    ),
  };
}

function summaryOf(attempt: AttemptRecord): Verdict['attempts'] {
  const { iteration, evaluation, reflection, tampering, durationMs } = attempt;
  if (evaluation === null) return [];
  const changes = reflection?.actor_output.total_changes;
  return [
    {
      iteration,
      reward: evaluation.reward,
      passed: evaluation.passed,
      files_changed: changes?.files_changed ?? 0,
      lines_added: changes?.lines_added ?? 0,
      lines_deleted: changes?.lines_deleted ?? 0,
      duration_ms: durationMs ?? evaluation.duration_ms,
      tampering: [...tampering],
    },
  ];
}
