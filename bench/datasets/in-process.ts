import { createSearchActor } from '../../src/repair/index.ts';
import { detectProject } from '../../src/checks/detect/index.ts';
import { resolveSettings } from '../../src/config/settings.ts';
import { createCheck } from '../../src/tools.ts';
import { withoutSetup } from '../../src/checks/run/setup.ts';
import { createBench } from '../../src/checks/bench.ts';
import { createEvaluator } from '../../src/proof/evaluator.ts';
import type { LoopOptions, LoopPorts } from '../../src/loop/options.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { Actor, Memory, ProjectPlan, RunStore, Workspace } from '../../src/ports.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import { createRulesReflector } from '../../src/agents/reflectors/rules.ts';
import type { Reflection, Trajectory } from '../../src/schema/generated.ts';
import { createFolderWorkspace } from './folder-workspace.ts';
import { MAX_ITERATIONS, type RepairBounds, type RepairRun } from './repair-run.ts';

const LOOP_ID = 'ralph-bench';
/** Time limit of one run of the checks: some bugs are endless loops. */
export const CHECK_TIMEOUT_MS = 10_000;

/**
 * Runs the loop in this process on a package without a repository, with the real detection, checks, search and
 * reflections. Checkpoints and reflections are kept in memory; `npm test` does not confirm the result. `root` is
 * absolute.
 */
export async function repairInProcess(root: string, bounds: RepairBounds): Promise<RepairRun> {
  const detected = await detectProject({ root, packageDir: '.', config: {} });
  const plan = { ...detected, testCommand: undefined };
  const workspace = await createFolderWorkspace(root);
  const cacheDir = makeTemporaryFolder('bench-cache');
  const trajectories: Trajectory[] = [];
  try {
    const ports = portsFor({ plan, workspace, cacheDir }, bounds, trajectories);
    const { status, verified, reason } = await runLoop(ports, optionsFor(plan, bounds));
    return { status, verified, reason, trajectories };
  } finally {
    removeTemporaryFolder(cacheDir);
  }
}

/** The package and its folders. */
interface Subject {
  readonly plan: ProjectPlan;
  readonly workspace: Workspace;
  readonly cacheDir: string;
}

function portsFor(
  { plan, workspace, cacheDir }: Subject,
  bounds: RepairBounds,
  trajectories: Trajectory[],
): LoopPorts {
  const checks = plan.checks.map((check) => createCheck(withoutSetup(check)));
  const suite = { plan, checks, cacheDir, checkTimeoutMs: CHECK_TIMEOUT_MS, noRegressions: false };
  return {
    actor: searchWithin(bounds),
    bench: createBench({ ...suite, root: workspace.root }),
    evaluator: createEvaluator(suite),
    reflector: createRulesReflector(),
    memory: createVolatileMemory(),
    workspace,
    guard: { restoreProtected: async () => [] },
    delivery: {
      async deliver(tree) {
        await workspace.restore(tree);
        return { applied: 'tree', conflict: false, message: 'The result is in the folder.' };
      },
    },
    store: createVolatileStore(),
    emit(event) {
      if (event.type === 'actor_finished') trajectories.push(event.trajectory);
    },
  };
}

function optionsFor(project: ProjectPlan, { budgetMs, signal }: RepairBounds): LoopOptions {
  return {
    ...resolveSettings({}),
    task: 'Make every failing check pass.',
    project,
    proof: {
      hasTask: false,
      isListed: false,
      stated: [],
      acceptTests: [],
      asks: 'nobody',
      applyUnproven: false,
      keepTests: true,
      timeMs: 0,
      minShare: undefined,
    },
    guidance: '',
    maxIterations: MAX_ITERATIONS,
    maxTimeMs: budgetMs,
    delivery: 'tree',
    endOn: 'best',
    resumed: false,
    settings: {},
    startedAt: new Date().toISOString(),
    stopRequested: () => signal.aborted,
    signal,
  };
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

function createVolatileMemory(): Memory {
  const kept: Reflection[] = [];
  return {
    remember: async (reflection) => ({ path: `${kept.push(reflection)}`, reflection }),
    episodes: async () => kept,
  };
}

function createVolatileStore(): RunStore {
  let finishedSteps = 0;
  return {
    loopId: LOOP_ID,
    get finishedSteps() {
      return finishedSteps;
    },
    async step(_name, run) {
      const result = await run();
      finishedSteps++;
      return result;
    },
    attach: async (path) => path,
    saveState: async () => {},
  };
}
