import type { Diagnostic } from '../../schema/generated.ts';
import type { AttemptRecord } from '../data/attempt-record.ts';
import type { LoopRecord } from '../data/loop-record.ts';
import { failureMatrix, type FailureRow } from '../failure-matrix.ts';
import { parsePatch, type PatchFile } from './patch.ts';

/** A loop with data that several sections of its page use. */
export interface LoopView {
  readonly record: LoopRecord;
  readonly rows: readonly FailureRow[];
  readonly attempts: readonly AttemptView[];
  /** Names of the checks in order of first appearance, which decides their colours. */
  readonly checks: readonly string[];
}

/** An attempt with derived data. */
export interface AttemptView {
  readonly attempt: AttemptRecord;
  /** Difference to the reward of its starting point; null if one of them is unknown. */
  readonly gain: number | null;
  /** Files of its patch; null if the patch is missing or malformed. */
  readonly files: readonly PatchFile[] | null;
  /** Attempt that it started from; undefined for the base. */
  readonly start: AttemptView | undefined;
  /** Errors after the attempt. */
  readonly failures: readonly Diagnostic[];
}

/** Derives the data of a loop's page. */
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

/** CSS class for the colour of a check; the sixth and all further checks share one colour. */
export function partClass(checks: readonly string[], name: string): string {
  return `part${Math.min(5, Math.max(0, checks.indexOf(name)))}`;
}
