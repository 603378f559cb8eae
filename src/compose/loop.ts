import { messageOf, RalphError } from '../errors.ts';
import type { LoopPorts } from '../loop/options.ts';
import { runLoop } from '../loop/run.ts';
import { freshState } from '../loop/state.ts';
import { createMemory } from '../memory/episodes/episodes.ts';
import { rememberRepairs, REPAIRS_FILE } from '../memory/recall/repairs.ts';
import type { Experience } from '../ports.ts';
import type { Repair, Verdict } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';
import { acquireLock } from '../state/lock.ts';
import { readState } from '../state/loops.ts';
import { createRunStore } from '../state/run-store.ts';
import { salvageLoop } from '../state/salvage.ts';
import { START_STEP } from '../state/started-state.ts';
import { announce } from './announce.ts';
import { openExperience } from './experience.ts';
import type { LoopRequest } from './loop-request.ts';
import { openModels } from './models.ts';
import { memorySpentBefore } from './spent-before.ts';
import type { Company } from './tasks/company.ts';
import { wireLoop } from './wire-loop.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

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
    const wired = await wireLoop(request, bench, { models, store, memory, experience });
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
