import { createRulesReflector } from '../../src/agents/reflectors/rules.ts';
import { detectProject } from '../../src/checks/detect/index.ts';
import type { Actor } from '../../src/ports.ts';
import { createSearchActor } from '../../src/repair/index.ts';
import { runLoopInFolder } from './loop-in-folder.ts';
import { MAX_ITERATIONS, type RepairBounds, type RepairRun } from './repair-run.ts';

/** Time limit of one run of the checks: some bugs are endless loops. */
export const CHECK_TIMEOUT_MS = 10_000;

/**
 * Runs the loop in this process on a package without a repository, with the real detection, checks, search and
 * reflections. `root` is absolute.
 */
export async function repairInProcess(root: string, bounds: RepairBounds): Promise<RepairRun> {
  const { budgetMs, signal } = bounds;
  return runLoopInFolder(root, {
    plan: await detectProject({ root, packageDir: '.', config: {} }),
    actor: searchWithin(bounds),
    reflector: createRulesReflector(),
    checkTimeoutMs: CHECK_TIMEOUT_MS,
    options: { maxIterations: MAX_ITERATIONS, maxTimeMs: budgetMs, signal },
  });
}

/** The search actor; each attempt may take the rest of the budget. */
function searchWithin({ budgetMs, minConfidence }: RepairBounds): Actor {
  const deadline = performance.now() + budgetMs;
  return {
    name: 'search',
    attempt: (context) => {
      const limits = { maxTimeMs: Math.max(1, deadline - performance.now()) };
      const actor = createSearchActor(minConfidence === undefined ? limits : { ...limits, minConfidence });
      return actor.attempt(context);
    },
  };
}
