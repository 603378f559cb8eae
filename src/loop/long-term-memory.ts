import type { MemoryContext } from '../ports/memory.ts';
import type { Evaluation, LoopStatus, Reflection, WithheldMemory } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import { fixesSeen } from './fixes-seen.ts';
import type { LoopRun } from './loop-run.ts';

/** What is withheld from the loop at random, drawn before its first attempt and kept in the journal; undefined for nothing. */
export async function withhold(
  { options, ports: { experience, store } }: LoopRun,
  evaluation: Evaluation,
): Promise<WithheldMemory | undefined> {
  if (experience === undefined) return undefined;
  const situation = { loopId: store.loopId, task: options.task, evaluation };
  return store.step('withhold', () => experience.withhold(situation));
}

/** The state that an attempt starts from, and what it must not be told. */
export interface RecallStep {
  /** 1-based. */
  readonly iteration: number;
  readonly evaluation: Evaluation;
  readonly withheld: WithheldMemory | undefined;
}

/** Long-term memory for the attempt that begins; undefined if there is none. */
export async function recall(
  loop: LoopRun,
  { iteration, evaluation, withheld }: RecallStep,
): Promise<MemoryContext | undefined> {
  const { emit, experience, store } = loop.ports;
  const { task } = loop.options;
  const memory = await experience?.recall({ loopId: store.loopId, task, evaluation, withheld });
  if (memory === undefined) return undefined;
  const { lessons, insights, playbook } = memory;
  emit({
    type: 'memory_recalled',
    iteration,
    lessons,
    insights: insights.length,
    playbook: playbook !== undefined,
  });
  return memory;
}

export interface LearnStep {
  readonly attempt: Attempt;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  readonly reflection: Reflection | undefined;
}

/** Gives an attempt to long-term memory, once in the life of a loop. */
export async function learn(loop: LoopRun, { attempt, previous, reflection }: LearnStep): Promise<void> {
  const { experience, store } = loop.ports;
  if (experience === undefined) return;
  const { task } = loop.options;
  const signal = loop.stop;
  const { seen } = await fixesSeen(loop, attempt, previous);
  await store.step(`${attempt.iteration}:learn`, async () => {
    const isSeenTree = isSeen(loop, attempt);
    const { loopId } = store;
    await experience.learn({
      ...attempt,
      isSeenTree,
      fixesSeen: seen,
      loopId,
      task,
      previous,
      reflection,
      signal,
    });
    return experience.spent;
  });
}

/** True for the original tree and for that of an earlier attempt. */
function isSeen({ attempts, ports }: LoopRun, { iteration, tree }: Attempt): boolean {
  return tree === ports.workspace.base || attempts.slice(0, iteration - 1).some((one) => one.tree === tree);
}

/** Gives the end of the loop to long-term memory. A loop that continues later, with more attempts, does it again. */
export async function conclude(loop: LoopRun, status: LoopStatus): Promise<void> {
  const { experience, store } = loop.ports;
  if (experience === undefined) return;
  const { task } = loop.options;
  const signal = loop.stop;
  const attempts = loop.attempts.length;
  const passedIn = loop.attempts.find(({ evaluation }) => evaluation.passed)?.iteration;
  const tried = editsTried(loop.attempts);
  await store.step(`${attempts}:conclude`, async () => {
    const { loopId } = store;
    await experience.conclude({ loopId, task, status, attempts, passedIn, tried, signal });
    return experience.spent;
  });
}

/** Edits that the search tried in all attempts; undefined for other actors. */
function editsTried(attempts: readonly Attempt[]): number | undefined {
  const searched = attempts.filter(({ trajectory }) => trajectory.actor === 'search');
  if (searched.length === 0) return undefined;
  return searched.reduce((sum, { trajectory }) => sum + trajectory.ruled_out.tried, 0);
}
