import { createHash } from 'node:crypto';
import type {
  CheckResult,
  Diagnostic,
  Evaluation,
  Observation,
  ObservedError,
  Trajectory,
} from '../../../schema/generated.ts';
import { isNarrowed } from '../../../schema/narrowed.ts';
import { compareFailures } from '../../../schema/compare-failures.ts';
import { oneLine } from '../../../platform/text/one-line.ts';
import { clampImportance, scoreImportance, type ScoreImportance } from './importance.ts';

/** One evaluated attempt, passed or failed. */
export interface ObservedAttempt {
  readonly loopId: string;
  /** 1-based. */
  readonly iteration: number;
  readonly task: string;
  readonly trajectory: Trajectory;
  readonly evaluation: Evaluation;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  /** Files that the attempt changed, relative to the root. */
  readonly files: readonly string[];
}

export interface ObservationContext {
  /** All earlier observations, oldest first. */
  readonly earlier: readonly Observation[];
  /** ISO 8601. */
  readonly at: string;
  readonly score?: ScoreImportance | undefined;
}

const MOST = { errors: 10, fingerprints: 50, files: 50, commands: 20 } as const;

/** The observation of an attempt, numbered after the earlier ones. */
export function observe(attempt: ObservedAttempt, { earlier, at, score }: ObservationContext): Observation {
  const { evaluation, previous, loopId, iteration } = attempt;
  const now = fingerprintsOf(evaluation);
  const before = fingerprintsOf(previous);
  const known = new Set(earlier.flatMap(({ same, fresh }) => [...same, ...fresh]));
  const rewardChange = round(evaluation.reward - previous.reward);
  const flipped = evaluation.passed !== previous.passed;
  const isNewFailure = [...now].some((fingerprint) => !known.has(fingerprint));
  return {
    id: observationId(loopId, iteration),
    seq: (earlier.at(-1)?.seq ?? 0) + 1,
    loop_id: loopId,
    iteration: iteration - 1,
    at,
    task: oneLine(attempt.task, 500),
    outcome: attempt.trajectory.outcome,
    passed: evaluation.passed,
    reward: evaluation.reward,
    reward_change: rewardChange,
    flipped,
    fixed: compareFailures(previous, evaluation)
      .fixed.map(({ fingerprint }) => fingerprint)
      .filter((fingerprint) => !now.has(fingerprint))
      .slice(0, MOST.fingerprints),
    same: [...now].filter((one) => before.has(one)).slice(0, MOST.fingerprints),
    fresh: [...now].filter((one) => !before.has(one)).slice(0, MOST.fingerprints),
    errors: errorsOf(evaluation).slice(0, MOST.errors).map(toObservedError),
    // ralph's own checks, such as the held-out tests, have an empty command.
    commands: wholeCommands(evaluation, previous)
      .filter((check) => check.command !== '' && hasRun(check))
      .slice(0, MOST.commands)
      .map(({ name, command }) => ({ check: name, command: oneLine(command, 300) })),
    files: attempt.files.slice(0, MOST.files).map((file) => file.slice(0, 4096)),
    importance: clampImportance((score ?? scoreImportance)({ rewardChange, isNewFailure, flipped })),
  };
}

/** Always the same id for the same attempt. `iteration` is 1-based. */
export function observationId(loopId: string, iteration: number): string {
  return `obs-${createHash('sha256').update(`${loopId}#${iteration}`).digest('hex').slice(0, 12)}`;
}

/** False for a check that could not run or is set aside, and for one whose set-up failed before its own command. */
function hasRun({ status, unfinished }: CheckResult): boolean {
  return (status === 'pass' || status === 'fail') && unfinished !== true;
}

/** The checks with their own command lines: one that ran only the tests that a change reaches has another, which is no fact about it. */
function wholeCommands({ checks }: Evaluation, previous: Evaluation): CheckResult[] {
  return checks.flatMap((check) => {
    if (!isNarrowed(check)) return [check];
    return previous.checks.filter((one) => one.name === check.name && !isNarrowed(one));
  });
}

function errorsOf({ diagnostics }: Evaluation): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

function fingerprintsOf(evaluation: Evaluation): Set<string> {
  return new Set(errorsOf(evaluation).map(({ fingerprint }) => fingerprint));
}

function toObservedError({ fingerprint, type, check, message, file, rule }: Diagnostic): ObservedError {
  return {
    fingerprint,
    type,
    check,
    message: oneLine(message, 300),
    file,
    rule: rule === undefined ? undefined : oneLine(rule, 300),
  };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
