import type { WorkEvent } from '../events.ts';
import type { AttemptContext } from '../ports/attempt.ts';
import type { TreeId } from '../ports/tree.ts';
import type { Reflection, Tampering, WithheldMemory } from '../schema/generated.ts';
import { attemptStart } from './attempt-start.ts';
import { addCutAttempts, CallMeter, noteCutAttempt } from './cut-attempts.ts';
import { recall, withhold } from './long-term-memory.ts';
import { isAborted } from './loop-errors.ts';
import type { EvaluatedTree, LoopRun } from './loop-run.ts';
import { noteShownMemory, runActor, type ActorResult } from './run-actor.ts';

export interface ActStep {
  /** 1-based. */
  readonly iteration: number;
  readonly start: EvaluatedTree;
  /** Reflections that the actor is shown. */
  readonly window: readonly Reflection[];
}

/** Result of the actor's step, as it is in the journal. */
export interface ActedStep extends ActorResult {
  readonly tampering: readonly Tampering[];
  /** The tree after the attempt, with protected files restored. */
  readonly tree: TreeId;
  readonly durationMs: number;
}

/** Lets the actor make its attempt, then restores protected files. */
export async function act(loop: LoopRun, step: ActStep): Promise<ActedStep> {
  const { emit, store } = loop.ports;
  const { iteration, window } = step;
  const own = window.filter(({ loop_id }) => loop_id === store.loopId);
  emit({ type: 'attempt_started', iteration, window: own.map((reflection) => reflection.iteration + 1) });
  const withheld = await withhold(loop, step.start.evaluation);
  if (withheld !== undefined) emit({ type: 'memory_withheld', iteration, ...withheld });
  const finished = store.finishedSteps;
  await addCutAttempts(loop, iteration);
  const meter = new CallMeter();
  const makeIt = () => makeAttempt(loop, step, { withheld, meter });
  const { fatal, ...acted } = await store.step(`${iteration}:act`, makeIt).catch(async (error: unknown) => {
    if (isAborted(error)) await noteCutAttempt(loop, iteration, meter.usage);
    throw error;
  });
  emit({ type: 'actor_finished', iteration, trajectory: acted.trajectory });
  const { tampering } = acted;
  if (tampering.length > 0) emit({ type: 'tampering_found', iteration, tampering });
  // A fatal error from the journal ended an earlier run; its cause may be fixed by now.
  const isFromJournal = store.finishedSteps === finished;
  return isFromJournal ? acted : { ...acted, fatal };
}

interface HowToAct {
  readonly withheld: WithheldMemory | undefined;
  /** Counts the model calls of the attempt as they happen. */
  readonly meter: CallMeter;
}

async function makeAttempt(loop: LoopRun, step: ActStep, { withheld, meter }: HowToAct): Promise<ActedStep> {
  const { actor, guard } = loop.ports;
  const { iteration, start } = step;
  const started = performance.now();
  await loop.moveToForChecks(start.tree);
  const memory = await recall(loop, { iteration, evaluation: start.evaluation, withheld });
  loop.throwIfAborted();
  const context = contextFor(loop, step, { memory, withheld });
  const onWork = (event: WorkEvent): void => {
    meter.on(event);
    context.onWork(event);
  };
  const result = await runActor(actor, { ...context, onWork });
  loop.throwIfKilled();
  const tampering = await guard.restoreProtected();
  const tree = await loop.checkpoint();
  const durationMs = Math.round(performance.now() - started);
  return { ...noteShownMemory(result, memory, withheld), tampering, tree, durationMs };
}

function contextFor(
  loop: LoopRun,
  step: ActStep,
  known: Pick<AttemptContext, 'memory' | 'withheld'>,
): AttemptContext {
  const { bench, emit, sandbox, store, workspace } = loop.ports;
  const { background, guidance, project, strategy, task } = loop.options;
  const last = strategy.includes('last-attempt') ? loop.attempts.at(-1) : undefined;
  return {
    loopId: store.loopId,
    iteration: step.iteration,
    task,
    root: workspace.root,
    project,
    guidance,
    background,
    evaluation: step.start.evaluation,
    acceptanceTests: loop.proofBase.writtenFiles.length > 0 ? loop.proofBase.writtenFiles : undefined,
    // Reflections of earlier loops are memory too.
    reflections: step.window.filter(
      ({ loop_id }) => known.withheld?.all !== true || loop_id === store.loopId,
    ),
    ...known,
    start: attemptStart(loop.attempts, step.start.iteration ?? 0),
    lastAttempt: last && {
      iteration: last.iteration,
      trajectory: last.trajectory,
      patch: last.changes.patch,
      evaluation: last.evaluation,
    },
    bench,
    sandbox,
    signal: actorSignal(loop),
    stop: loop.stop,
    onProgress: (text) => emit({ type: 'progress', text }),
    onWork: emit,
  };
}

/** Aborts when the user kills the loop, or when the rest of the time is needed to evaluate what the actor has done. */
function actorSignal({ evaluationMs, restMs, options }: LoopRun): AbortSignal {
  const { maxTimeMs, signal } = options;
  if (maxTimeMs === undefined) return signal;
  const reserveMs = Math.min(restMs / 2, evaluationMs);
  const ownMs = Math.max(1, Math.round(restMs - reserveMs));
  return AbortSignal.any([signal, AbortSignal.timeout(Math.min(ownMs, 2 ** 31 - 1))]);
}
