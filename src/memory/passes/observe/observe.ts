import { createHash } from 'node:crypto';
import type {
  Diagnostic,
  Evaluation,
  Observation,
  ObservedError,
  Trajectory,
} from '../../../schema/generated.ts';
import { oneLine } from '../common/one-line.ts';
import { clampImportance, scoreImportance, type ScoreImportance } from './importance.ts';

/** One attempt, as the loop saw it. */
export interface AttemptSeen {
  readonly loopId: string;
  /** 1-based. */
  readonly iteration: number;
  readonly task: string;
  readonly trajectory: Trajectory;
  readonly evaluation: Evaluation;
  /** What the attempt started from. */
  readonly previous: Evaluation;
  /** That it left changed, relative to the root. */
  readonly files: readonly string[];
}

export interface ObserveOptions {
  /** Every observation so far, oldest first. */
  readonly earlier: readonly Observation[];
  /** ISO 8601. */
  readonly at: string;
  readonly score?: ScoreImportance | undefined;
}

const MOST = { errors: 10, fingerprints: 50, files: 50, commands: 20 } as const;

/** The record of an attempt, numbered behind the earlier ones. */
export function observe(seen: AttemptSeen, { earlier, at, score }: ObserveOptions): Observation {
  const { evaluation, previous, loopId, iteration } = seen;
  const now = fingerprintsOf(evaluation);
  const before = fingerprintsOf(previous);
  const known = new Set(earlier.flatMap(({ same, fresh }) => [...same, ...fresh]));
  const rewardChange = round(evaluation.reward - previous.reward);
  const flipped = evaluation.passed !== previous.passed;
  const isNews = [...now].some((fingerprint) => !known.has(fingerprint));
  return {
    id: observationId(loopId, iteration),
    seq: (earlier.at(-1)?.seq ?? 0) + 1,
    loop_id: loopId,
    iteration: iteration - 1,
    at,
    task: oneLine(seen.task, 500),
    outcome: seen.trajectory.outcome,
    passed: evaluation.passed,
    reward: evaluation.reward,
    reward_change: rewardChange,
    flipped,
    fixed: [...before].filter((one) => !now.has(one)).slice(0, MOST.fingerprints),
    same: [...now].filter((one) => before.has(one)).slice(0, MOST.fingerprints),
    fresh: [...now].filter((one) => !before.has(one)).slice(0, MOST.fingerprints),
    errors: errorsOf(evaluation).slice(0, MOST.errors).map(toError),
    // A check of ours has none, such as the one that says that what is held out failed.
    commands: evaluation.checks
      .filter(({ command }) => command !== '')
      .slice(0, MOST.commands)
      .map(({ name, command }) => ({ check: name, command: oneLine(command, 300) })),
    files: seen.files.slice(0, MOST.files).map((file) => file.slice(0, 4096)),
    importance: clampImportance((score ?? scoreImportance)({ rewardChange, isNews, flipped })),
  };
}

/** The same attempt has the same id, however often it is committed. `iteration` is 1-based. */
export function observationId(loopId: string, iteration: number): string {
  return `obs-${createHash('sha256').update(`${loopId}#${iteration}`).digest('hex').slice(0, 12)}`;
}

function errorsOf({ diagnostics }: Evaluation): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

function fingerprintsOf(evaluation: Evaluation): Set<string> {
  return new Set(errorsOf(evaluation).map(({ fingerprint }) => fingerprint));
}

function toError({ fingerprint, type, check, message, file, rule }: Diagnostic): ObservedError {
  return {
    ...{ fingerprint, type, check, message: oneLine(message, 300) },
    ...(file !== undefined && { file }),
    ...(rule !== undefined && { rule: oneLine(rule, 300) }),
  };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
