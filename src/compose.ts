/** Configuration → ports: the only importer of adapters. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createCommandActor } from './actors/command.ts';
import { createSearchActor } from './actors/search/index.ts';
import { detectProject, findPackageDir } from './config/detect/index.ts';
import { loadConfig } from './config/load.ts';
import { resolveSettings, type Settings } from './config/settings.ts';
import { ExitCode, RalphError, usageError } from './errors.ts';
import { createCheck } from './evaluators/checks/index.ts';
import { withoutSetup } from './evaluators/setup.ts';
import { createBench, createSuite, type SuiteOptions } from './evaluators/suite.ts';
import type { RunEvent } from './events.ts';
import { runLoop } from './loop/run.ts';
import { loopState } from './loop/state.ts';
import { createMemory } from './memory/episodes.ts';
import type { Actor, DeliveryMode, DeliveryOutcome, Evaluator, ProjectPlan, TreeId } from './ports.ts';
import { createRulesReflector } from './reflectors/rules.ts';
import type { Config, Evaluation, LoopState, Verdict } from './schema/generated.ts';
import { acquireLock } from './state/lock.ts';
import { readState } from './state/loops.ts';
import { createRunStore } from './state/run-store.ts';
import { boundText } from './util/bounded-text.ts';
import { createDelivery } from './workspace/deliver.ts';
import { createInPlaceWorkspace } from './workspace/in-place.ts';
import { createGuard, type GuardedWorkspace } from './workspace/protect.ts';
import { openRepository, type Repository } from './workspace/repository.ts';
import { openSnapshots, type Snapshots } from './workspace/snapshots.ts';
import { undoDelivery } from './workspace/undo.ts';
import { checksCacheDir } from './workspace/workspace-dir.ts';
import { createWorktreeWorkspace } from './workspace/worktree.ts';

/** A repository with its resolved configuration and its checks. */
export interface Project {
  readonly repository: Repository;
  readonly config: Config;
  readonly settings: Settings;
  /** Absolute path of the configuration file, where there is one. */
  readonly configFile: string | undefined;
  readonly plan: ProjectPlan;
}

export interface ProjectRequest {
  readonly cwd: string;
  /** What the command line gave; checked here. */
  readonly flags: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The flags are a whole configuration already, as a resumed loop has it. */
  readonly ignoreFile?: boolean;
}

/** Finds the repository, reads the configuration, and detects the checks. Throws RalphError. */
export async function openProject({ cwd, flags, env, ignoreFile }: ProjectRequest): Promise<Project> {
  // What is wrong with the command line is said before what is wrong with the place.
  await loadConfig({ folders: [], flags, env });
  const repository = await openRepository(cwd);
  const packageDir = findPackageDir(repository.packageStart, repository.root) ?? '.';
  const folders = [...new Set([join(repository.root, packageDir), repository.root])];
  const { config, file } = await loadConfig({ folders: ignoreFile === true ? [] : folders, flags, env });
  const settings = resolveSettings(config);
  if (settings.actor === 'command' && settings.command === undefined) {
    throw usageError('--actor command needs a command.', 'Give it one: --command "my-agent --stdin"');
  }
  const plan = await detectProject({ root: repository.root, packageDir, config });
  return { repository, config, settings, configFile: file, plan };
}

export interface LoopRequest {
  readonly project: Project;
  readonly task: string;
  readonly delivery: DeliveryMode;
  readonly loopId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly resumed: boolean;
  /** A resumed loop's base. */
  readonly base?: TreeId;
  readonly emit: (event: RunEvent) => void;
  readonly stopRequested: () => boolean;
  readonly signal: AbortSignal;
}

/** A loop that holds the repository's lock until it is closed. */
export interface LoopSession {
  run(): Promise<{ readonly verdict: Verdict; readonly conflict: boolean }>;
  close(): Promise<void>;
}

/** Locks the repository, opens workspace and journal, and wires the loop. Throws RalphError. */
export async function openLoop(request: LoopRequest): Promise<LoopSession> {
  const { project, loopId } = request;
  const lock = acquireLock(project.repository.root, { loopId, command: request.resumed ? 'resume' : 'run' });
  try {
    return await wireLoop(request, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function wireLoop(request: LoopRequest, release: () => void): Promise<LoopSession> {
  const { project, loopId, task, resumed, emit, startedAt, delivery, signal } = request;
  const { repository, settings, plan } = project;
  const bench = await openWorkbench(project, loopId, request.base);
  const { workspace, snapshots } = bench;
  const store = createRunStore({ repositoryRoot: repository.root, loopId });
  const loopSettings = {
    config: project.config,
    cwd: relative(repository.root, repository.packageStart),
    delivery,
  };
  const actor = createActor(settings);
  const { maxIterations } = settings;
  if (!resumed) {
    const blank = {
      verdict: undefined,
      bestTree: undefined,
      iteration: 0,
      reward: 0,
      baselineReward: 0,
      status: 'running',
    } as const;
    const known = {
      loopId,
      task,
      actor: actor.name,
      startedAt,
      maxIterations,
      settings: loopSettings,
      baseTree: workspace.base,
    };
    await store.saveState(loopState({ ...known, ...blank }));
  }
  const damaged = ({ path, problem }: { path: string; problem: string }): void =>
    emit({ type: 'warning', text: `Skipped ${path}: it ${problem}.` });
  const tests = noteTestFiles(createSuite(bench.suite));
  const guard = createGuard({
    snapshots,
    workspace,
    protect: settings.protect,
    allow: settings.allow,
    extraProtected: tests.files,
  });
  let delivered: DeliveryOutcome | undefined;
  const deliverer = createDelivery({
    repository,
    snapshots,
    loopId,
    task,
    base: workspace.base,
    inPlace: settings.isolation === 'in-place',
  });
  const ports = {
    actor,
    bench: createBench({ ...bench.suite, root: workspace.root }),
    evaluator: tests.evaluator,
    reflector: createRulesReflector(),
    memory: createMemory({ repositoryRoot: repository.root, onDamaged: damaged }),
    workspace,
    guard,
    delivery: {
      deliver: async (tree: TreeId, how: DeliveryMode) => (delivered = await deliverer.deliver(tree, how)),
    },
    store,
    emit,
  };
  return {
    async run() {
      emit({
        type: 'loop_started',
        loopId,
        task,
        actor: actor.name,
        maxIterations,
        workspace: workspace.root,
        project: plan,
        resumed,
      });
      try {
        const verdict = await runLoop(ports, {
          ...settings,
          ...{
            task,
            project: plan,
            delivery,
            resumed,
            startedAt,
            signal,
            stopRequested: request.stopRequested,
          },
          guidance: readGuidance(repository.root, plan.packageDir),
          endOn: settings.isolation === 'in-place' ? 'base' : 'best',
          settings: loopSettings,
        });
        return { verdict, conflict: delivered?.conflict ?? false };
      } catch (error) {
        await markEnded(repository.root, loopId, error, store.saveState);
        if (settings.isolation === 'in-place') await workspace.restore(workspace.base);
        throw error;
      }
    },
    async close() {
      await workspace.close();
      release();
    },
  };
}

/** One evaluation of the tree as it is, by the whole sequence where the fast one is green. */
export async function evaluateOnce(
  project: Project,
  request: { signal: AbortSignal; emit: (event: RunEvent) => void },
): Promise<Evaluation> {
  const { repository } = project;
  const lock = acquireLock(repository.root, { loopId: EVALUATION_ID, command: 'evaluate' });
  try {
    const { workspace, suite } = await openWorkbench(project, EVALUATION_ID);
    const evaluator = createSuite(suite);
    const { signal } = request;
    request.emit({ type: 'baseline_started' });
    const fast = await evaluator.evaluate({ root: workspace.root, confirm: false, signal });
    if (!fast.passed) return fast;
    await workspace.restore(workspace.base);
    request.emit({ type: 'evaluation_started', iteration: 0, confirm: true });
    return await evaluator.evaluate({ root: workspace.root, confirm: true, baseline: fast, signal });
  } finally {
    lock.release();
  }
}

/** Takes a loop's best tree to the user, verified or not. Throws RalphError where it has none. */
export async function applyBest(cwd: string, state: LoopState, how: DeliveryMode): Promise<DeliveryOutcome> {
  const repository = await openRepository(cwd);
  const { loop_id: loopId, task, base_tree: base, best_tree: best } = state;
  if (best === undefined) {
    throw new RalphError(`No attempt of ${loopId} was better than what was there before.`, {
      code: 'conflict',
      exitCode: ExitCode.workspace,
      hint: `See what was tried: ralph logs ${loopId}`,
    });
  }
  return locked(repository, loopId, 'apply', async (snapshots) =>
    createDelivery({ repository, snapshots, loopId, task, base }).deliver(best, how),
  );
}

/** Takes back what a loop delivered. Throws RalphError where it cannot be done without losing something. */
export async function undoLoop(cwd: string, loopId: string): Promise<string> {
  const repository = await openRepository(cwd);
  return locked(
    repository,
    loopId,
    'undo',
    async (snapshots) => (await undoDelivery({ repository, snapshots, loopId })).message,
  );
}

/** What a loop was started with, as its state keeps it. */
export function settingsOfState(state: LoopState): { config: Config; cwd: string; delivery: DeliveryMode } {
  const {
    config = {},
    cwd = '',
    delivery = 'tree',
  } = state.options as { config?: Config; cwd?: string; delivery?: DeliveryMode };
  return { config, cwd, delivery };
}

const EVALUATION_ID = 'ralph-evaluate';
const GUIDANCE_FILES = ['AGENTS.md', 'CLAUDE.md'];
const GUIDANCE_CHARS = 8000;

interface Workbench {
  readonly workspace: GuardedWorkspace & Awaited<ReturnType<typeof createInPlaceWorkspace>>;
  readonly snapshots: Snapshots;
  readonly suite: SuiteOptions;
}

async function openWorkbench(
  { repository, settings, plan }: Project,
  loopId: string,
  base?: TreeId,
): Promise<Workbench> {
  const { isolation, workspaceDir, carry, checkTimeoutMs, noRegressions } = settings;
  const snapshots = await openSnapshots(repository, loopId);
  const from = { repository, snapshots, ...(base !== undefined && { base }) };
  const workspace =
    isolation === 'in-place'
      ? await createInPlaceWorkspace(from)
      : await createWorktreeWorkspace({
          ...from,
          carry,
          ...(workspaceDir !== undefined && { workspaceDir }),
        });
  const checks = plan.checks.map((check) => createCheck(withoutSetup(check)));
  const suite = {
    plan,
    checks,
    cacheDir: checksCacheDir(repository, workspaceDir),
    checkTimeoutMs,
    noRegressions,
  };
  return { workspace, snapshots, suite };
}

function createActor({ actor, command, search }: Settings): Actor {
  return actor === 'command' ? createCommandActor({ command: command! }) : createSearchActor(search);
}

/** Files that the runner itself reported as tests are protected, whatever they are called. */
function noteTestFiles(evaluator: Evaluator): { evaluator: Evaluator; files: () => string[] } {
  let files: string[] = [];
  return {
    files: () => files,
    evaluator: {
      async evaluate(request) {
        const evaluation = await evaluator.evaluate(request);
        if (request.baseline === undefined) files = testFilesOf(evaluation);
        return evaluation;
      },
    },
  };
}

function testFilesOf({ tests }: Evaluation): string[] {
  return [...new Set(tests.map(({ file }) => file).filter((file) => file !== undefined))];
}

function readGuidance(root: string, packageDir: string): string {
  for (const path of [packageDir, '.'].flatMap((folder) =>
    GUIDANCE_FILES.map((name) => join(root, folder, name)),
  )) {
    try {
      return boundText(readFileSync(path, 'utf8').trim(), GUIDANCE_CHARS);
    } catch {
      // Not there; the next one may be.
    }
  }
  return '';
}

/** A loop that ended by an error says so in its state; the error itself goes on to the user. */
async function markEnded(
  root: string,
  loopId: string,
  error: unknown,
  save: (state: LoopState) => Promise<void>,
): Promise<void> {
  const status = error instanceof RalphError && error.code === 'aborted' ? 'aborted' : 'error';
  const state = await readState(root, loopId).catch(() => null);
  if (state !== null)
    await save({ ...state, status, updated_at: new Date().toISOString() }).catch(() => undefined);
}

async function locked<T>(
  repository: Repository,
  loopId: string,
  command: string,
  act: (snapshots: Snapshots) => Promise<T>,
): Promise<T> {
  const lock = acquireLock(repository.root, { loopId, command });
  try {
    return await act(await openSnapshots(repository, loopId));
  } finally {
    lock.release();
  }
}
