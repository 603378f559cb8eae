import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, RalphError } from '../errors.ts';
import { createBench, createSuite } from '../evaluators/suite.ts';
import type { RunEvent } from '../events.ts';
import type { LoopOptions, LoopPorts } from '../loop/options.ts';
import { runLoop } from '../loop/run.ts';
import { freshState } from '../loop/state.ts';
import { createMemory } from '../memory/episodes.ts';
import { rememberRepairs, REPAIRS_FILE } from '../memory/repairs.ts';
import type {
  Actor,
  Delivery,
  DeliveryMode,
  DeliveryOutcome,
  Evaluator,
  Experience,
  Memory,
  RunStore,
  TreeId,
} from '../ports.ts';
import type { AcceptedEdit, Evaluation, Reflection, Repair, Verdict } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';
import { acquireLock, type Lock } from '../state/lock.ts';
import { readState } from '../state/loops.ts';
import { createRunStore } from '../state/run-store.ts';
import { salvageLoop } from '../state/salvage.ts';
import { START_STEP } from '../state/started-state.ts';
import { boundText } from '../util/bounded-text.ts';
import { liesInRepository } from '../util/ralph-folder.ts';
import { createDelivery, type DeliveryOptions } from '../workspace/deliver.ts';
import { createGuard } from '../workspace/protect.ts';
import { createActor, createReflector } from './adapters.ts';
import { openModels, type Models } from './models.ts';
import { openExperience } from './experience.ts';
import { originFor } from './origin.ts';
import type { Project } from './project.ts';
import { adviseOnSandbox } from './sandbox-advice.ts';
import { memorySpentBefore } from './spent-before.ts';
import type { Company } from './tasks/company.ts';
import { tellFinished } from './tell-finished.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

export interface LoopRequest {
  readonly project: Project;
  readonly task: string;
  readonly delivery: DeliveryMode;
  readonly loopId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly resumed: boolean;
  /** A resumed loop's base, and the commit that was checked out when it began. */
  readonly base?: TreeId;
  readonly head?: string;
  /** Reflections of earlier loops at the same task, oldest first. */
  readonly earlier?: readonly Reflection[] | undefined;
  readonly emit: (event: RunEvent) => void;
  readonly stopRequested: () => boolean;
  readonly signal: AbortSignal;
  /** The repository's lock where the caller holds it, and releases it, for several loops. */
  readonly lock?: Lock;
  /** Loops of the same lock that run at the same time. */
  readonly company?: Company;
}

const PREPARE_AFTER_MS = 50;

/** A loop that holds the repository's lock until it is closed. */
export interface LoopSession {
  /** `conflict`: verified, but kept as a branch because the user's tree moved meanwhile. */
  run(): Promise<{ readonly verdict: Verdict; readonly conflict: boolean }>;
  close(): Promise<void>;
}

/** Locks the repository, opens workspace and journal, and wires the loop. Throws RalphError. */
export async function openLoop(request: LoopRequest): Promise<LoopSession> {
  const { project, loopId, resumed, company } = request;
  const lock =
    request.lock ?? acquireLock(project.repository.root, { loopId, command: resumed ? 'resume' : 'run' });
  const release = (): void => (request.lock === undefined ? lock.release() : undefined);
  const alone: Company['alone'] = company?.alone ?? ((act) => act());
  try {
    const started = performance.now();
    const { maxTimeMs } = project.settings;
    if (resumed) await tellSalvaged(request);
    const store = createRunStore({ repositoryRoot: project.repository.root, loopId });
    const memory = createMemory({
      repositoryRoot: project.repository.root,
      onDamaged: ({ path, problem }) =>
        request.emit({ type: 'warning', text: `Skipped ${path}: it ${problem}.` }),
    });
    const models = await openModels({
      ...{ project, loopId, resumed, store, memory, env: process.env },
      warn: (text) => request.emit({ type: 'warning', text }),
      timeLeftMs: () => (maxTimeMs === undefined ? undefined : maxTimeMs - (performance.now() - started)),
    });
    const bench = await openWorkbench(project, {
      ...{ loopId, base: request.base, hasActor: true },
      ...{ lane: company?.lane, isAlone: company?.isAlone },
    });
    company?.known.add(bench.workspace.base);
    const spent = resumed ? memorySpentBefore(project.repository.root, loopId) : NO_USAGE;
    const memories = await openExperience({ project, models, emit: request.emit, spent });
    const experience = memories && (await guarded(memories, company));
    const wired = wire(request, bench, { models, store, memory, experience });
    const { ports, options } = wired;
    if (!resumed) {
      const fresh = freshState({
        loopId,
        actor: ports.actor.name,
        baseTree: bench.workspace.base,
        ...options,
      });
      // From it the state is known again where its own file is damaged.
      await store.step(START_STEP, () => Promise.resolve(fresh));
      await store.saveState(fresh);
    }
    return {
      async run() {
        announce(request, bench, ports.actor);
        // By then the baseline's checks run in processes of their own, and this one only waits for them.
        const preparing = setTimeout(() => void models.actor?.prepare(), PREPARE_AFTER_MS);
        const verdict = await runLoop(ports, options)
          .catch((error: unknown) => endByError(error, request, bench, ports))
          .finally(() => clearTimeout(preparing));
        if (verdict.verified && project.settings.memory)
          await alone(() => keepRepairs(request, wired.repairs()));
        return { verdict, conflict: wired.delivered()?.conflict ?? false };
      },
      async close() {
        await bench.workspace.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function guarded(experience: Experience, company: Company | undefined): Promise<Experience> {
  if (company === undefined) return experience;
  return (await import('./tasks/guarded-experience.ts')).guardedExperience(experience, company);
}

/** Damaged files of a loop are set aside, and named, before it goes on from what is whole. */
async function tellSalvaged({ project, loopId, emit }: LoopRequest): Promise<void> {
  for (const { path, problem, aside, lostSteps } of await salvageLoop(project.repository.root, loopId)) {
    const again = lostSteps.length === 0 ? '' : ` Done again: ${lostSteps.join(', ')}.`;
    emit({ type: 'warning', text: `Set ${path} aside as ${aside}: ${problem}.${again}` });
  }
}

async function keepRepairs({ project, emit }: LoopRequest, repairs: readonly Repair[]): Promise<void> {
  const aside = await rememberRepairs(project.repository.root, repairs);
  if (aside !== undefined)
    emit({ type: 'warning', text: `Some lines of ${REPAIRS_FILE} are damaged; it is kept as ${aside}.` });
}

interface Stores {
  readonly models: Models;
  readonly store: RunStore;
  readonly memory: Memory;
  readonly experience: Experience | undefined;
}

interface Wired {
  readonly ports: LoopPorts;
  readonly options: LoopOptions;
  readonly delivered: () => DeliveryOutcome | undefined;
  /** Edits of the search actor that are in the tree. */
  readonly repairs: () => Repair[];
}

function wire(
  request: LoopRequest,
  { workspace, snapshots, suite }: Workbench,
  { models, store, memory, experience }: Stores,
): Wired {
  const { project, loopId, task, delivery } = request;
  const { emit, repairs, baseline } = noteEvents(request);
  const { repository, settings, plan } = project;
  const { protect, allow, isolation } = settings;
  const head = request.head ?? repository.head;
  const inPlace = isolation === 'in-place';
  const tests = noteTestFiles(createSuite({ ...suite, onCheckDone: tellFinished(emit) }));
  const result = { repository, snapshots, loopId, task, base: workspace.base, head, inPlace };
  const deliverer = openDelivery(result, { request, workspace, baseline, evaluator: tests.evaluator });
  let delivered: DeliveryOutcome | undefined;
  const ports: LoopPorts = {
    actor: createActor(settings, repository.root, models),
    bench: createBench({ ...suite, root: workspace.root }),
    sandbox: suite.sandbox,
    evaluator: tests.evaluator,
    reflector: createReflector(models, repository.root),
    memory,
    experience,
    workspace,
    guard: createGuard({
      ...{ snapshots, workspace, protect, allow, checks: plan.checks, repository: repository.root },
      extraProtected: tests.files,
    }),
    delivery: { deliver: async (tree, how) => (delivered = await deliverer.deliver(tree, how)) },
    store,
    emit: adviseOnSandbox(suite.sandbox, emit),
  };
  const options: LoopOptions = {
    ...settings,
    task,
    project: plan,
    guidance: readGuidance(repository.root, plan.packageDir),
    delivery,
    endOn: inPlace ? 'base' : 'best',
    settings: { ...originFor(project, delivery, head) },
    startedAt: request.startedAt,
    resumed: request.resumed,
    earlier: request.earlier,
    stopRequested: request.stopRequested,
    signal: request.signal,
  };
  return { ports, options, repairs, delivered: () => delivered };
}

interface Wiring extends Pick<Noted, 'baseline'> {
  readonly request: LoopRequest;
  readonly workspace: Workbench['workspace'];
  readonly evaluator: Evaluator;
}

function openDelivery(result: DeliveryOptions, { request, ...wiring }: Wiring): Delivery {
  const { company, signal } = request;
  if (company === undefined) return createDelivery(result);
  return {
    async deliver(tree, how) {
      const { createDeliveryInTurn } = await import('./tasks/deliver-in-turn.ts');
      return createDeliveryInTurn({ ...result, ...wiring, company, signal }).deliver(tree, how);
    },
  };
}

function announce(request: LoopRequest, { workspace, notCovered, warnings }: Workbench, actor: Actor): void {
  const { emit, loopId, task, resumed, project } = request;
  const { plan, settings } = project;
  const { agent, maxCostUsd, maxIterations, maxTimeMs, maxTokens, model } = settings;
  const asked =
    actor.name === 'acp'
      ? agent
      : ['react', 'cot'].includes(actor.name)
        ? (model.name ?? model.replay)
        : undefined;
  emit({
    type: 'loop_started',
    loopId,
    task,
    actor: actor.name,
    ...(asked !== undefined && { model: asked }),
    maxIterations,
    limits: {
      ...(maxTimeMs !== undefined && { maxTimeMs }),
      ...(maxCostUsd !== undefined && { maxCostUsd }),
      ...(maxTokens !== undefined && { maxTokens }),
    },
    workspace: workspace.root,
    project: plan,
    resumed,
  });
  for (const text of warnings) emit({ type: 'warning', text });
  if (notCovered.length > 0) {
    const shown = notCovered.slice(0, 5).join(', ') + (notCovered.length > 5 ? ', …' : '');
    emit({
      type: 'warning',
      text: `The workspace does not have ${shown}: nested repositories and unreadable files are left out.`,
    });
  }
}

/** A loop that ends by an error says so in its state, and leaves a tree of the user's as it was. */
async function endByError(
  error: unknown,
  request: LoopRequest,
  { workspace }: Workbench,
  { store, experience }: LoopPorts,
): Promise<never> {
  const { project } = request;
  const status = error instanceof RalphError && error.code === 'aborted' ? 'aborted' : 'error';
  const state = await readState(project.repository.root, store.loopId).catch(() => null);
  const ended = state && ({ ...state, status, updated_at: new Date().toISOString() } as const);
  if (ended !== null) await store.saveState(ended).catch(() => undefined);
  if (project.settings.isolation === 'in-place') await workspace.restore(workspace.base);
  request.emit({ type: 'loop_failed', status, message: messageOf(error) });
  const { loopId, task, signal } = request;
  await experience?.conclude({ loopId, task, signal, status, attempts: state?.iteration ?? 0 });
  throw error;
}

interface Noted extends Pick<LoopRequest, 'emit'> {
  /** What the search actor left in the tree, attempt by attempt, where the attempt was the best so far. */
  readonly repairs: () => Repair[];
  /** Undefined until it is evaluated, or read again. */
  readonly baseline: () => Evaluation | undefined;
}

function noteEvents({ emit, loopId }: LoopRequest): Noted {
  const repairs: Repair[] = [];
  let last: AcceptedEdit | undefined;
  let baseline: Evaluation | undefined;
  return {
    repairs: () => repairs,
    baseline: () => baseline,
    emit(event) {
      if (event.type === 'baseline_evaluated') baseline = event.evaluation;
      if (event.type === 'actor_finished') last = event.trajectory.accepted;
      if (event.type === 'attempt_evaluated' && event.best && last !== undefined) {
        repairs.push({ loop_id: loopId, ...last, recorded_at: new Date().toISOString() });
        last = undefined;
      }
      emit(event);
    },
  };
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

const GUIDANCE_FILES = ['AGENTS.md', 'CLAUDE.md'];
const GUIDANCE_CHARS = 8000;

function readGuidance(root: string, packageDir: string): string {
  for (const path of [packageDir, '.'].flatMap((folder) =>
    GUIDANCE_FILES.map((name) => join(root, folder, name)),
  )) {
    // A link may lead to anything that the user can read.
    if (!liesInRepository(root, path)) continue;
    try {
      return boundText(readFileSync(path, 'utf8').trim(), GUIDANCE_CHARS);
    } catch {
      // Not there; the next one may be.
    }
  }
  return '';
}
