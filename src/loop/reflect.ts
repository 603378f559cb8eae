import type { LoopContext, ReflectorOutput } from '../ports/reflection.ts';
import type { Evaluation, Reflection, Trajectory } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';
import type { Attempt } from './attempt.ts';
import type { LoopRun } from './loop-run.ts';
import { reflectionRecord } from './reflection-record.ts';
import { fixesSeen } from './fixes-seen.ts';
import { describeSamples } from './samples/describe-samples.ts';
import { episodesBefore, ownWindow } from './window-for.ts';
import { traceFailure } from './trace-failure.ts';
import { omegaFor } from './window.ts';

export interface ReflectStep {
  readonly attempt: Attempt;
  /** Evaluation of the tree that the attempt started from. */
  readonly previous: Evaluation;
  /** Reflections that the attempt was shown. */
  readonly window: readonly Reflection[];
}

/** A stored reflection and its path relative to the repository's root. */
interface Remembered {
  readonly path: string;
  readonly reflection: Reflection;
}

/**
 * Reflects on a failed attempt and stores the record durably. Returns the record; undefined if the journal is one of an
 * earlier version, which has only the record's path, and the record is gone.
 */
export async function reflect(loop: LoopRun, step: ReflectStep): Promise<Reflection | undefined> {
  const { emit, store } = loop.ports;
  const { iteration } = step.attempt;
  const stored = await store.step<Remembered | string>(`${iteration}:reflect`, () =>
    reflectAndRemember(loop, step),
  );
  const { path, reflection } = typeof stored === 'string' ? await reread(loop, iteration, stored) : stored;
  loop.reflections.push(path);
  if (reflection === undefined) return undefined;
  loop.spending.addUsage(reflection.reflector.usage ?? NO_USAGE);
  emit({ type: 'reflection_written', iteration, path, reflection });
  return reflection;
}

async function reflectAndRemember(loop: LoopRun, step: ReflectStep): Promise<Remembered> {
  const { emit, memory, reflector, store } = loop.ports;
  const { task, omega, windowPolicy: policy } = loop.options;
  const { attempt, previous, window } = step;
  const { iteration, trajectory, evaluation, tampering, changes } = attempt;
  const { loopId } = store;
  const earlier = await episodesBefore(loop, iteration);
  const trace = await traceFailure(loop, attempt, previous);
  const { seen, unrun, without } = await fixesSeen(loop, attempt, previous);
  loop.throwIfAborted();
  // The checks may have written files; a reflector that quotes lines must read those of the attempt.
  await loop.moveTo(attempt.tree);
  const output = await reflector.reflect({
    task,
    iteration,
    trajectory,
    patch: changes.patch,
    place: changes.place,
    startedFrom: attempt.startedFrom,
    evaluation,
    previous,
    tampering,
    trace,
    fixesSeen: seen,
    fixesUnrun: unrun,
    fixesWithout: without,
    // Reflectors refer to earlier attempts by their numbers, which are those of this loop.
    window: window.filter(({ loop_id }) => loop_id === loopId),
    loop: contextOf(loop, attempt, earlier),
    signal: loop.signal,
    onWork: emit,
  });
  // A reflection that is not stored has its cost all the same.
  if (loop.stop.aborted) loop.spending.addUsage(output.reflector.usage ?? NO_USAGE);
  loop.throwIfAborted();
  const record = reflectionRecord({
    ...withSamples(output, trajectory),
    loopId,
    task,
    attempt,
    previous,
    before: loop.attempts[iteration - 2]?.evaluation ?? loop.baseline,
    window,
    kept: ownWindow(loop, earlier, evaluation),
    omega: omegaFor(omega, loop.baseline.verification_type, earlier),
    policy,
  });
  return memory.remember(record);
}

const REFLECTION_CHARS = 8000;

/** The reflection with a note on the other attempts that were made at the same time, which the next ones are shown. */
function withSamples(output: ReflectorOutput, { samples }: Trajectory): ReflectorOutput {
  if (samples === undefined) return output;
  const text = `${describeSamples(samples)} ${output.reflection.reflection_text}`.slice(0, REFLECTION_CHARS);
  return { ...output, reflection: { ...output.reflection, reflection_text: text } };
}

function contextOf(loop: LoopRun, attempt: Attempt, reflections: readonly Reflection[]): LoopContext {
  const { attempts, ports } = loop;
  const earlier = attempts.slice(0, attempt.iteration - 1);
  const numbers = (isAlike: (one: Attempt) => boolean): number[] =>
    earlier.filter(isAlike).map(({ iteration }) => iteration);
  const next = loop.nextStart();
  return {
    root: ports.workspace.root,
    reflections,
    sameTree: [
      ...(attempt.tree === ports.workspace.base ? [0] : []),
      ...numbers(({ tree }) => tree === attempt.tree),
    ],
    sameChange: numbers(({ changes }) => changes.patch === attempt.changes.patch && changes.files.length > 0),
    next: {
      from: attempts.findLast(({ evaluation }) => evaluation === next.evaluation)?.iteration ?? 0,
      evaluation: next.evaluation,
    },
  };
}

/** The record at a path from the journal of an earlier version. */
async function reread(
  { ports }: LoopRun,
  iteration: number,
  path: string,
): Promise<{ readonly path: string; readonly reflection: Reflection | undefined }> {
  const episodes = await ports.memory.episodes(ports.store.loopId);
  return { path, reflection: episodes.find((record) => record.iteration === iteration - 1) };
}
