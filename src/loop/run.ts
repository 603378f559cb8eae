import type { LoopStatus, Verdict } from '../schema/generated.ts';
import { actorError } from './impossible.ts';
import type { LoopOptions, LoopPorts } from './options.ts';
import { LoopSteps } from './steps.ts';

/**
 * The Reflexion loop (Shinn et al., 2023, Algorithm 1) over a repository:
 * baseline → [window → checkpoint → act → restore protected → evaluate → record → stop? → reflect → remember]*
 * → keep the best. Every step is in the journal once it is done, so that a resumed loop goes on behind the
 * last one. Throws RalphError only for what makes the run impossible.
 */
export async function runLoop(ports: LoopPorts, options: LoopOptions): Promise<Verdict> {
  const loop = new LoopSteps(ports, options);

  // 1. Baseline: what fails before anybody has touched anything.
  const baseline = await loop.evaluateBaseline();
  if (baseline.passed && !options.requireChange) return loop.finish('nothing_to_do');

  let status: LoopStatus | undefined = loop.stopReason();
  while (status === undefined) {
    // 2. An attempt starts from the best, last or base tree, with the Ω window in its context.
    const iteration = loop.attempts.length + 1;
    const start = loop.startOfNext();
    const window = await loop.window(iteration, start);

    // 3. Act. Protected files go back to the base before anything is scored.
    const acted = await loop.act({ iteration, start, window });
    if (loop.mustPause()) return loop.finish('aborted');

    // 4. Evaluate; what passes is confirmed by the whole uncached sequence before it counts.
    const evaluation = await loop.evaluate(iteration, acted, start.evaluation);
    const attempt = await loop.record({ iteration, acted, evaluation, start });
    status = loop.stopReason();

    // 5. Reflect on a failure, and remember; learn from what came of it either way.
    const judged = { attempt, previous: start.evaluation };
    if (status === 'passed') {
      await loop.learn(judged);
      break;
    }
    const reflection = await loop.reflect({ ...judged, window });
    await loop.learn({ ...judged, reflection });
    if (acted.fatal !== undefined) throw actorError(acted.fatal);
  }

  // 6. The loop ends on the best attempt, whatever the last one was.
  return loop.finish(status);
}
