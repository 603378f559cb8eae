import type { Diagnostic } from '../../schema/generated.ts';
import type { AttemptRecord } from '../data/attempt-record.ts';
import type { LoopRecord } from '../data/loop-record.ts';
import { failureMatrix, type FailureRow } from '../failure-matrix.ts';
import { parsePatch, type PatchFile } from './patch.ts';

/** A loop with what several parts of its page need, worked out once. */
export interface LoopView {
  readonly record: LoopRecord;
  readonly rows: readonly FailureRow[];
  readonly attempts: readonly AttemptView[];
  /** Names of the checks, in the order of their first appearance: it gives each its colour. */
  readonly checks: readonly string[];
}

export interface AttemptView {
  readonly attempt: AttemptRecord;
  /** Reward against that of the tree that it started from; null where one of them is not known. */
  readonly gain: number | null;
  /** Files of its patch; null where there is none, or one that cannot be read. */
  readonly files: readonly PatchFile[] | null;
  /** What it went on from; undefined for the base. */
  readonly start: AttemptView | undefined;
  /** Errors behind it. */
  readonly failures: readonly Diagnostic[];
}

/** Works out what the page of a loop shows. */
export function viewLoop(record: LoopRecord): LoopView {
  const attempts: AttemptView[] = [];
  for (const attempt of record.attempts) {
    const start = attempts.find((earlier) => earlier.attempt.iteration === attempt.startedFrom);
    const before = start === undefined ? record.baseline : start.attempt.evaluation;
    attempts.push({
      attempt,
      gain: attempt.evaluation === null || before === null ? null : attempt.evaluation.reward - before.reward,
      files: attempt.patch === null ? null : parsePatch(attempt.patch.text),
      start,
      failures: (attempt.evaluation?.diagnostics ?? []).filter(({ severity }) => severity === 'error'),
    });
  }
  const evaluations = [record.baseline, ...record.attempts.map(({ evaluation }) => evaluation)];
  return {
    record,
    rows: failureMatrix(record.baseline, record.attempts),
    attempts,
    checks: [
      ...new Set(evaluations.flatMap((evaluation) => evaluation?.checks.map(({ name }) => name) ?? [])),
    ],
  };
}

/** Class of a check's colour; there are six, and more checks than that share the last. */
export function partClass(checks: readonly string[], name: string): string {
  return `part${Math.min(5, Math.max(0, checks.indexOf(name)))}`;
}
