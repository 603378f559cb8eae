import type { Report } from '../schema/generated.ts';
import type { LoopRecord } from './data/loop-record.ts';
import {
  countChanges,
  failureMatrix,
  failureName,
  type FailureChange,
  type FailureRow,
} from './failure-matrix.ts';

/** Builds the JSON report of a loop; its schema is `schemas/report.schema.json`. */
export function createReport(record: LoopRecord): Report {
  const rows = failureMatrix(record.baseline, record.attempts);
  const { memory } = record;
  return {
    loop_id: record.loopId,
    task: record.task,
    status: record.status,
    actor: record.actor,
    model: record.model,
    started_at: record.startedAt,
    updated_at: record.updatedAt,
    max_iterations: record.maxIterations,
    final: record.isFinal,
    verdict: record.verdict,
    attempts: record.attempts.map((attempt) => attemptOf(attempt, record)),
    failures: rows.map(failureOf),
    lessons_told: memory.recalled.map(({ id, lesson, attempts, effects }) => {
      const iterationsWith = (effect: string): number[] =>
        effects.filter((one) => one.effect === effect).map(({ iteration }) => iteration);
      return {
        id,
        text: lesson?.text ?? null,
        attempts: [...attempts],
        support: iterationsWith('support'),
        contradiction: iterationsWith('contradiction'),
      };
    }),
    lessons_learned: memory.learned.map(({ id }) => id),
    damaged: [...record.damaged],
  };
}

function attemptOf(attempt: LoopRecord['attempts'][number], record: LoopRecord): Report['attempts'][number] {
  const { iteration, evaluation, reflection } = attempt;
  const blame = reflection?.self_reflection.credit_assignment;
  return {
    iteration,
    started_from: attempt.startedFrom,
    window: [...attempt.window],
    reward: evaluation?.reward ?? null,
    passed: evaluation?.passed ?? false,
    best: attempt.best,
    ...countChanges(record.baseline, record.attempts, iteration),
    message: attempt.trajectory?.message ?? '',
    category: blame?.failure_category ?? null,
    root_cause: blame?.root_cause ?? null,
    patch: attempt.patch?.path ?? null,
    reflection: attempt.reflectionPath,
    duration_ms: attempt.durationMs,
  };
}

function failureOf({
  diagnostic,
  fingerprints,
  inBaseline,
  changes,
}: FailureRow): Report['failures'][number] {
  const { check, file, line } = diagnostic;
  const having = (change: FailureChange): number[] =>
    [...changes].filter(([, one]) => one === change).map(([iteration]) => iteration);
  return {
    check,
    name: failureName(diagnostic),
    file,
    line,
    fingerprints: [...fingerprints],
    in_baseline: inBaseline,
    new: having('new'),
    same: having('same'),
    fixed: having('fixed'),
    passing: having('passing'),
    unseen: having('unseen'),
  };
}
