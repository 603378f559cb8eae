import type { LoopState } from '../../schema/generated.ts';
import type { AttemptHistory, LeftOut, LoopHistory } from './history.ts';
import { failureMarks, readAttempts, type StoredAttempt, type StoredLoop } from './read-attempts.ts';
import { readReflected, type ReflectedAttempt } from './reflected.ts';

/** The stored loops of a repository. */
export interface History {
  /** Oldest first. */
  readonly loops: readonly LoopHistory[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Reads all loops with a state in `states` or with reflections. Data in a loop's own folder is preferred; reflections,
 * which users commit, replace it where the folder is gone. Never rejects for the content of a file.
 */
export async function readHistory(repositoryRoot: string, states: readonly LoopState[]): Promise<History> {
  const { reflected, damaged } = await readReflected(repositoryRoot);
  const known = new Map(states.map((state) => [state.loop_id, state]));
  const leftOut: LeftOut[] = [...damaged];
  const loops: LoopHistory[] = [];
  for (const id of new Set([...known.keys(), ...reflected.keys()])) {
    const stored = await readAttempts(repositoryRoot, id);
    for (const file of stored.leftOut) leftOut.push(file);
    loops.push(historyOf({ id, state: known.get(id), stored, reflected: reflected.get(id) ?? [] }));
  }
  return { loops: loops.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)), leftOut };
}

interface Sources {
  readonly id: string;
  readonly state: LoopState | undefined;
  readonly stored: StoredLoop;
  readonly reflected: readonly ReflectedAttempt[];
}

function historyOf({ id, state, stored, reflected }: Sources): LoopHistory {
  const byIteration = new Map(reflected.map((one) => [one.iteration, one]));
  const judged = new Map(stored.attempts.map((attempt) => [attempt.iteration, attempt]));
  const iterations = [...new Set([...judged.keys(), ...byIteration.keys()])].sort((a, b) => a - b);
  const attempts = iterations.flatMap((iteration) =>
    attemptOf(iteration, judged.get(iteration), byIteration.get(iteration)),
  );
  const times = reflected.map(({ writtenAt }) => writtenAt).filter(Number.isFinite);
  return {
    id,
    task: state?.task ?? reflected[0]?.task ?? '',
    status: state?.status ?? null,
    memory: state === undefined ? null : withMemory(state),
    startedAt:
      state === undefined
        ? times.reduce((first, time) => Math.min(first, time), Infinity)
        : Date.parse(state.started_at),
    endedAt: state === undefined || state.status === 'running' ? null : Date.parse(state.updated_at),
    baseline: stored.baseline?.reward ?? state?.baseline_reward ?? byIteration.get(1)?.rewardBefore ?? null,
    failures: stored.baseline === undefined ? [] : failureMarks(stored.baseline.diagnostics),
    attempts,
  };
}

function withMemory({ options }: LoopState): boolean {
  const { config } = options as { readonly config?: { readonly memory?: unknown } };
  return config?.memory !== false;
}

function attemptOf(
  iteration: number,
  stored: StoredAttempt | undefined,
  reflected: ReflectedAttempt | undefined,
): AttemptHistory[] {
  const reward = stored?.evaluation.reward ?? reflected?.reward;
  if (reward === undefined) return [];
  const delta = stored?.evaluation.delta;
  const tried = stored?.trajectory?.ruled_out?.tried;
  return [
    {
      iteration,
      reward,
      passed: stored?.evaluation.passed ?? false,
      errors: delta && { fixed: delta.fixed.length, same: delta.same.length, new: delta.new.length },
      category: reflected?.category,
      confidence: reflected?.confidence,
      shown: stored?.trajectory?.memory?.lessons ?? reflected?.shown ?? [],
      tried: stored?.trajectory?.actor === 'search' ? tried : undefined,
      failures:
        stored === undefined ? (reflected?.failures ?? []) : failureMarks(stored.evaluation.diagnostics),
    },
  ];
}
