import type { MemoryContext } from '../ports.ts';
import type { Evaluation, LoopStatus, Reflection } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { LoopRun } from './loop-run.ts';

/** Long-term memory for the attempt that begins; undefined if there is none. */
export async function recall(
  loop: LoopRun,
  iteration: number,
  evaluation: Evaluation,
): Promise<MemoryContext | undefined> {
  const { emit, experience, store } = loop.ports;
  const memory = await experience?.recall({ loopId: store.loopId, task: loop.options.task, evaluation });
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
  const { task, signal } = loop.options;
  await store.step(`${attempt.iteration}:learn`, async () => {
    await experience.learn({ ...attempt, loopId: store.loopId, task, previous, reflection, signal });
    return experience.spent;
  });
}

/** Gives the end of the loop to long-term memory. A loop that continues later, with more attempts, does it again. */
export async function conclude(loop: LoopRun, status: LoopStatus): Promise<void> {
  const { experience, store } = loop.ports;
  if (experience === undefined) return;
  const { task, signal } = loop.options;
  const attempts = loop.attempts.length;
  await store.step(`${attempts}:conclude`, async () => {
    await experience.conclude({ loopId: store.loopId, task, status, attempts, signal });
    return experience.spent;
  });
}
