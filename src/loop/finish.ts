import { dirname } from 'node:path/posix';
import type { ProjectPlan } from '../ports/plan.ts';
import type { DeliveryOutcome, TreeId } from '../ports/tree.ts';
import type { LoopStatus, Verdict } from '../schema/generated.ts';
import { conclude } from './long-term-memory.ts';
import type { LoopRun } from './loop-run.ts';
import { spentBudget } from './stop.ts';
import { noteChanges, summarizeUnjudged } from './unjudged.ts';
import { loopVerdict } from './verdict.ts';

/** Ends the loop: delivers the accepted attempt, keeps an unproven one, or restores the best one; saves the verdict. */
export async function finish(loop: LoopRun, status: LoopStatus): Promise<Verdict> {
  const { emit, store } = loop.ports;
  const { options, spending } = loop;
  const delivered = await deliverResult(loop);
  if (delivered === undefined || status === 'unproven') await loop.moveTo(endTree(loop, delivered));
  if (delivered !== undefined) emit({ type: 'delivered', outcome: delivered });
  await conclude(loop, status);
  await noteChanges(loop);
  const verdict = loopVerdict({
    loopId: store.loopId,
    status,
    attempts: loop.attempts,
    unjudged: summarizeUnjudged(loop),
    baseline: loop.baseline,
    best: loop.best,
    reflections: loop.reflections,
    delivered,
    durationMs: Math.round(spending.elapsedMs),
    maxIterations: options.maxIterations,
    usage: spending.usage,
    spent: spentText(loop),
    confirmedBy: options.project.testCommand?.command,
    carried: foreignOutputs(options.project),
  });
  await loop.saveState(status, verdict);
  emit({ type: 'loop_finished', verdict });
  return verdict;
}

/** Build outputs that belong to other packages than the loop's. */
function foreignOutputs({ carry = [], packageDir }: ProjectPlan): readonly string[] {
  return carry.filter((output) => dirname(output) !== packageDir);
}

/** The budget that is spent, and what its end cut off; undefined if none is. */
function spentText({ cutOff, progress }: LoopRun): string | undefined {
  const spent = spentBudget(progress);
  return spent === undefined || cutOff === undefined
    ? spent
    : `${spent.replace(/\.$/, '')}: ${cutOff} was cut off.`;
}

/** Undefined if no attempt was accepted or is unproven. An unproven one goes to a branch, unless the user asked for it. */
async function deliverResult(loop: LoopRun): Promise<DeliveryOutcome | undefined> {
  const { attempts, options, ports } = loop;
  const result = attempts.find(({ accepted, unproven }) => accepted || unproven);
  if (result === undefined) return undefined;
  const { delivery, store } = ports;
  const { applyUnproven } = options.proof;
  const isDisputed = result.proof?.criteria.some(({ disputed }) => disputed !== undefined) ?? false;
  const isApplied = result.accepted || (applyUnproven && !isDisputed);
  const how = isApplied ? options.delivery : 'branch';
  return store.step('deliver', () => delivery.deliver(result.tree, how, loop.leftOut));
}

/** The tree that the workspace holds after a loop that is not verified. */
function endTree({ best, options, ports }: LoopRun, delivered: DeliveryOutcome | undefined): TreeId {
  const { base } = ports.workspace;
  const isApplied = delivered?.applied === 'tree' || delivered?.applied === 'commit';
  return options.endOn === 'base' && !isApplied ? base : (best?.tree ?? base);
}
