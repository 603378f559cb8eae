import { createBench } from '../../src/checks/bench.ts';
import { withoutSetup } from '../../src/checks/run/setup.ts';
import { resolveSettings } from '../../src/config/settings.ts';
import type { LoopOptions, LoopPorts } from '../../src/loop/options.ts';
import { runLoop } from '../../src/loop/run.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import type { Actor, Memory, Reflector, RunStore, Workspace } from '../../src/ports.ts';
import type { ProjectPlan } from '../../src/ports/plan.ts';
import { createEvaluator } from '../../src/proof/evaluator.ts';
import type { Evaluation, Reflection, Trajectory } from '../../src/schema/generated.ts';
import { createCheck } from '../../src/tools.ts';
import { createFolderWorkspace } from './folder-workspace.ts';
import type { RepairRun } from './repair-run.ts';

const LOOP_ID = 'ralph-bench';

/** One run of the loop in a folder. */
export interface FolderLoop {
  readonly plan: ProjectPlan;
  readonly actor: Actor;
  readonly reflector: Reflector;
  /** Time limit of one run of the checks. */
  readonly checkTimeoutMs: number;
  /** Settings that differ from the defaults. */
  readonly options: Partial<LoopOptions> & Pick<LoopOptions, 'maxIterations' | 'signal'>;
}

/** The outcome of a loop in a folder. */
export interface FolderRun extends RepairRun {
  /** One per attempt. */
  readonly evaluations: readonly Evaluation[];
  /** Stored reflections, oldest first. */
  readonly reflections: readonly Reflection[];
}

/**
 * Runs the loop in this process on a package without a repository, with the real checks. Checkpoints and reflections are
 * kept in memory; `npm test` does not confirm the result. `root` is absolute.
 */
export async function runLoopInFolder(root: string, loop: FolderLoop): Promise<FolderRun> {
  const plan = { ...loop.plan, testCommand: undefined };
  const workspace = await createFolderWorkspace(root);
  const cacheDir = makeTemporaryFolder('bench-cache');
  const record: Recorded = { trajectories: [], evaluations: [], reflections: [] };
  try {
    const ports = portsFor({ ...loop, plan }, { workspace, cacheDir, record });
    const { status, verified, reason } = await runLoop(ports, optionsFor(plan, loop.options));
    return { status, verified, reason, ...record };
  } finally {
    removeTemporaryFolder(cacheDir);
  }
}

interface Recorded {
  readonly trajectories: Trajectory[];
  readonly evaluations: Evaluation[];
  readonly reflections: Reflection[];
}

interface Ground {
  readonly workspace: Workspace;
  readonly cacheDir: string;
  readonly record: Recorded;
}

function portsFor(
  { plan, actor, reflector, checkTimeoutMs }: FolderLoop,
  { workspace, cacheDir, record }: Ground,
): LoopPorts {
  const checks = plan.checks.map((check) => createCheck(withoutSetup(check)));
  const suite = { plan, checks, cacheDir, checkTimeoutMs, noRegressions: false };
  return {
    actor,
    bench: createBench({ ...suite, root: workspace.root }),
    evaluator: createEvaluator(suite),
    reflector,
    memory: createVolatileMemory(record.reflections),
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
      if (event.type === 'actor_finished') record.trajectories.push(event.trajectory);
      if (event.type === 'attempt_evaluated') record.evaluations.push(event.evaluation);
    },
  };
}

function optionsFor(project: ProjectPlan, options: FolderLoop['options']): LoopOptions {
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
    delivery: 'tree',
    endOn: 'best',
    resumed: false,
    settings: {},
    startedAt: new Date().toISOString(),
    stopRequested: () => options.signal.aborted,
    ...options,
  };
}

function createVolatileMemory(kept: Reflection[]): Memory {
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
    has: () => false,
    async step(_name, run) {
      const result = await run();
      finishedSteps++;
      return result;
    },
    attach: async (path) => path,
    saveState: async () => {},
  };
}
