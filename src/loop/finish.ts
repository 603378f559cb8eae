import type { DeliveryOutcome, TreeId } from '../ports.ts';
import type { LoopStatus, Verdict } from '../schema/generated.ts';
import { conclude } from './long-term-memory.ts';
import type { LoopRun } from './loop-run.ts';
import { spentBudget } from './stop.ts';
import { loopVerdict } from './verdict.ts';

/** Ends the loop: delivers the accepted attempt or restores the best one, and saves the verdict. */
export async function finish(loop: LoopRun, status: LoopStatus): Promise<Verdict> {
  const { emit, store } = loop.ports;
  const { options, spending } = loop;
  const delivered = await deliverAccepted(loop);
  if (delivered === undefined) await loop.moveTo(endTree(loop));
  else emit({ type: 'delivered', outcome: delivered });
  await conclude(loop, status);
  const verdict = loopVerdict({
    loopId: store.loopId,
    status,
    attempts: loop.attempts,
    baseline: loop.baseline,
    best: loop.best,
    reflections: loop.reflections,
    delivered,
    durationMs: Math.round(spending.elapsedMs),
    maxIterations: options.maxIterations,
    usage: spending.usage,
    spent: spentBudget(spending.progress),
  });
  await loop.saveState(status, verdict);
  emit({ type: 'loop_finished', verdict });
  return verdict;
}

/** Undefined if no attempt was accepted. */
async function deliverAccepted({ attempts, options, ports }: LoopRun): Promise<DeliveryOutcome | undefined> {
  const accepted = attempts.find((attempt) => attempt.accepted);
  if (accepted === undefined) return undefined;
  const { delivery, store } = ports;
  return store.step('deliver', () => delivery.deliver(accepted.tree, options.delivery));
}

/** The tree that the workspace holds after an unverified loop. */
function endTree({ best, options, ports }: LoopRun): TreeId {
  const { base } = ports.workspace;
  return options.endOn === 'base' ? base : (best?.tree ?? base);
}
