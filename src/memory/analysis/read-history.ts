import type { FailureCategory, LoopState } from '../../schema/generated.ts';
import { readReflections, type ReflectionRecord } from '../episodes/reflection-files.ts';
import type { AttemptHistory, LeftOut, LoopHistory } from './history.ts';
import { failureMarks, readAttempts, type StoredAttempt, type StoredLoop } from './read-attempts.ts';

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
  const { records, damaged } = await readReflections(repositoryRoot);
  const reflections = Map.groupBy(records, ({ reflection }) => reflection.loop_id);
  const known = new Map(states.map((state) => [state.loop_id, state]));
  const leftOut: LeftOut[] = [...damaged];
  const loops: LoopHistory[] = [];
  for (const id of new Set([...known.keys(), ...reflections.keys()])) {
    const stored = await readAttempts(repositoryRoot, id);
    for (const file of stored.leftOut) leftOut.push(file);
    loops.push(historyOf({ id, state: known.get(id), stored, reflections: reflections.get(id) ?? [] }));
  }
  return { loops: loops.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)), leftOut };
}

interface Sources {
  readonly id: string;
  readonly state: LoopState | undefined;
  readonly stored: StoredLoop;
  readonly reflections: readonly ReflectionRecord[];
}

function historyOf({ id, state, stored, reflections }: Sources): LoopHistory {
  const byIteration = new Map(reflections.map((record) => [record.reflection.iteration + 1, record]));
  const judged = new Map(stored.attempts.map((attempt) => [attempt.iteration, attempt]));
  const iterations = [...new Set([...judged.keys(), ...byIteration.keys()])].sort((a, b) => a - b);
  const attempts = iterations.flatMap((iteration) =>
    attemptOf(iteration, judged.get(iteration), byIteration.get(iteration)),
  );
  const first = byIteration.get(1)?.reflection;
  const times = reflections.map(({ reflection }) => Date.parse(reflection.timestamp)).filter(Number.isFinite);
  return {
    id,
    task: state?.task ?? reflections[0]?.reflection.task_description ?? '',
    status: state?.status ?? null,
    memory: state === undefined ? null : withMemory(state),
    startedAt:
      state === undefined
        ? times.reduce((first, time) => Math.min(first, time), Infinity)
        : Date.parse(state.started_at),
    endedAt: state === undefined || state.status === 'running' ? null : Date.parse(state.updated_at),
    baseline: stored.baseline?.reward ?? state?.baseline_reward ?? baselineFrom(first),
    failures: stored.baseline === undefined ? [] : failureMarks(stored.baseline.diagnostics),
    attempts,
  };
}

/** The baseline's reward from the first reflection, whose change is relative to it; null where unknown. */
function baselineFrom(first: ReflectionRecord['reflection'] | undefined): number | null {
  const { reward_signal: reward } = first?.evaluator_output ?? {};
  const change = first?.performance_delta?.reward_change;
  return reward === undefined || change === undefined ? null : Math.min(1, Math.max(0, reward - change));
}

function withMemory({ options }: LoopState): boolean {
  const { config } = options as { readonly config?: { readonly memory?: unknown } };
  return config?.memory !== false;
}

function attemptOf(
  iteration: number,
  stored: StoredAttempt | undefined,
  record: ReflectionRecord | undefined,
): AttemptHistory[] {
  const reflection = record?.reflection;
  const reward = stored?.evaluation.reward ?? reflection?.evaluator_output.reward_signal;
  if (reward === undefined) return [];
  const delta = stored?.evaluation.delta;
  const { confidence, credit_assignment: credit } = reflection?.self_reflection ?? {};
  const tried = stored?.trajectory?.ruled_out?.tried;
  const ours = record?.source === 'ralph' ? record.reflection : undefined;
  const diagnostics = stored?.evaluation.diagnostics ?? ours?.evaluator_output.errors ?? [];
  return [
    {
      iteration,
      reward,
      passed: stored?.evaluation.passed ?? false,
      errors: delta && { fixed: delta.fixed.length, same: delta.same.length, new: delta.new.length },
      category: credit?.failure_category as FailureCategory | undefined,
      confidence,
      shown: stored?.trajectory?.memory?.lessons ?? ours?.previous_lessons_used ?? [],
      tried: stored?.trajectory?.actor === 'search' ? tried : undefined,
      failures: failureMarks(diagnostics),
    },
  ];
}
