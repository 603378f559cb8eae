import type { LoopStatus, Verdict } from '../schema/generated.ts';
import { act } from './act.ts';
import { evaluateAttempt, evaluateBaseline } from './evaluate.ts';
import { withVerdict } from './failed-verdict.ts';
import { finish } from './finish.ts';
import { prepareProof } from './proof/prepare.ts';
import { prove } from './proof/prove.ts';
import { learn } from './long-term-memory.ts';
import { actorError, baselineCutOff, isAborted, TimeOver } from './loop-errors.ts';
import { LoopRun } from './loop-run.ts';
import type { LoopOptions, LoopPorts } from './options.ts';
import { recordAttempt } from './record-attempt.ts';
import { reflect } from './reflect.ts';
import { endsLoop } from './run-actor.ts';
import { noteChanges } from './unjudged.ts';
import { windowFor } from './window-for.ts';

/**
 * The Reflexion loop (Shinn et al., 2023, Algorithm 1) on a repository. Each step is in the journal when it is finished,
 * so that a resumed loop continues after the last finished step. Throws RalphError only if the run cannot continue.
 */
export async function runLoop(ports: LoopPorts, options: LoopOptions): Promise<Verdict> {
  const loop = new LoopRun(ports, options);
  try {
    return await runSteps(loop);
  } catch (error) {
    return await endEarly(loop, error).catch(async (last: unknown) => {
      await noteChanges(loop);
      throw withVerdict(last, loop);
    });
  }
}

/** Ends a loop whose running step was cut off with what it has; any other error is thrown again. */
async function endEarly(loop: LoopRun, error: unknown): Promise<Verdict> {
  const { options, ports } = loop;
  if (error instanceof TimeOver) {
    if (!loop.hasBaseline) throw baselineCutOff(ports.store.loopId, options.maxTimeMs!);
    loop.cutOff = error.step;
    return finish(loop, 'budget');
  }
  const isStopped = isAborted(error) && !options.signal.aborted && loop.hasBaseline;
  if (!isStopped) throw error;
  // What is verified is delivered.
  return finish(loop, loop.stopReason() ?? 'aborted');
}

async function runSteps(loop: LoopRun): Promise<Verdict> {
  const { options } = loop;

  // 1. Baseline: evaluate the tree before anything is changed.
  await evaluateBaseline(loop);
  if (loop.baseline.passed && !options.proof.hasTask) return finish(loop, 'nothing_to_do');

  // 2. Criteria: what must be red now and green in the end; tests are written for a task that no check asks for.
  await prepareProof(loop);

  let status: LoopStatus | undefined = loop.stopReason();
  while (status === undefined) {
    // 3. Choose the tree to start from (best, last or base) and the Ω window of reflections.
    const iteration = loop.attempts.length + 1;
    const start = loop.nextStart();
    const window = await windowFor(loop, iteration, start);

    // 4. Act: the actor edits the tree; protected files are restored before anything is scored.
    const acted = await act(loop, { iteration, start, window });
    loop.unjudged = { iteration, start, acted };
    if (options.stopRequested()) return finish(loop, 'aborted');

    // 5. Evaluate: a success counts only if every check passes again without caches, and a criterion proves it.
    const evaluation = await evaluateAttempt(loop, { iteration, start, acted });
    const proven = await prove(loop, { iteration, acted, evaluation });
    const attempt = await recordAttempt(loop, { iteration, start, acted, proven });
    status = loop.stopReason();

    // 6. Reflect on a failure; long-term memory learns from success and failure.
    const failed = { attempt, previous: start.evaluation, window };
    const isSettled = status === 'passed' || status === 'unproven';
    const reflection = isSettled ? undefined : await reflect(loop, failed);
    await learn(loop, { attempt, previous: start.evaluation, reflection });
    const { fatal } = acted;
    const isLast = fatal !== undefined && endsLoop(fatal, loop.attempts.at(-2));
    if (isLast && !isSettled) throw actorError(fatal);
  }

  // 7. Finish on the best attempt: deliver it if it is verified, keep it if it is unproven.
  return finish(loop, status);
}
