import type { WorkEvent } from '../events.ts';
import type { Memory, Reflector } from '../ports.ts';
import type { Evaluation, Reflection, VerificationType } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import { abortedError } from './impossible.ts';
import type { LoopOptions } from './options.ts';
import { reflectionRecord } from './record.ts';
import { omegaFor, selectWindow } from './window.ts';

/** What reading and writing memory takes in one loop. */
export interface MemoryUse {
  readonly memory: Memory;
  readonly reflector: Reflector;
  readonly loopId: string;
  /** Of the baseline: decides Ω where the user set none. */
  readonly verification: VerificationType;
  readonly options: Pick<
    LoopOptions,
    'task' | 'omega' | 'windowPolicy' | 'windowTokens' | 'signal' | 'earlier'
  >;
  readonly onWork: (event: WorkEvent) => void;
}

export interface ReflectRequest {
  readonly attempt: Attempt;
  /** What the attempt started from. */
  readonly previous: Evaluation;
  /** What the attempt was told of. */
  readonly window: readonly Reflection[];
}

/**
 * The Ω window over the attempts before this one (1-based), which starts from `evaluation`. Places that they leave go to
 * the newest reflections of earlier loops at the same task, in front of them.
 */
export async function windowBefore(
  iteration: number,
  evaluation: Evaluation,
  use: MemoryUse,
): Promise<Reflection[]> {
  const own = select(await episodesBefore(iteration, use), evaluation, use);
  const { earlier = [], omega } = use.options;
  if (earlier.length === 0) return own;
  const places = omegaFor(omega, use.verification, [...earlier, ...own]) - own.length;
  return places <= 0 ? own : [...earlier.slice(-places), ...own];
}

/** Reflects on a failed attempt and stores the record durably. Returns its path relative to the repository. */
export async function reflectAndRemember(request: ReflectRequest, use: MemoryUse): Promise<string> {
  const { attempt, previous, window } = request;
  const { iteration, trajectory, evaluation, tampering, changes } = attempt;
  const { task, signal, omega, windowPolicy: policy } = use.options;
  const context = { task, iteration, trajectory, evaluation, previous, tampering, signal };
  // What it says of earlier attempts it says by their numbers in this loop.
  const own = window.filter(({ loop_id }) => loop_id === use.loopId);
  const { onWork } = use;
  const output = await use.reflector.reflect({ ...context, window: own, patch: changes.patch, onWork });
  if (signal.aborted) throw abortedError(use.loopId);
  const earlier = await episodesBefore(iteration, use);
  const record = reflectionRecord({
    ...output,
    ...{ loopId: use.loopId, task, attempt, previous, window, policy },
    kept: select(earlier, evaluation, use),
    omega: omegaFor(omega, use.verification, earlier),
  });
  const { path } = await use.memory.remember(record);
  return path;
}

async function episodesBefore(iteration: number, { memory, loopId }: MemoryUse): Promise<Reflection[]> {
  const episodes = await memory.episodes(loopId);
  return episodes.filter((reflection) => reflection.iteration < iteration - 1);
}

function select(
  reflections: readonly Reflection[],
  { diagnostics }: Evaluation,
  { options, verification }: MemoryUse,
): Reflection[] {
  const { omega, windowPolicy: policy, windowTokens: maxTokens } = options;
  const width = omegaFor(omega, verification, reflections);
  return selectWindow(reflections, { omega: width, policy, maxTokens, failures: diagnostics });
}
