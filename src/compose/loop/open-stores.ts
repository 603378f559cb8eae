import { createMemory } from '../../memory/episodes/episodes.ts';
import type { Experience, Memory, RunStore } from '../../ports.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { createRunStore } from '../../state/run-store.ts';
import { salvageLoop } from '../../state/salvage.ts';
import { openExperience } from '../experience.ts';
import type { LoopRequest } from './loop-request.ts';
import { openModels, type Models } from '../models.ts';
import { replicatedStore } from './replicated-store.ts';
import { memorySpentBefore } from './spent-before.ts';

/** Everything that a loop stores or asks: its journal, episodic memory, model clients and long-term memory. */
export interface Stores {
  readonly store: RunStore;
  readonly memory: Memory;
  readonly models: Models;
  /** Undefined if the settings turn long-term memory off. */
  readonly experience: Experience | undefined;
}

/** Opens the stores of a loop; damaged files of a resumed loop are set aside first. Throws RalphError. */
export async function openStores(request: LoopRequest): Promise<Stores> {
  const { project, loopId, resumed, emit, siblings, replica } = request;
  const repositoryRoot = project.repository.root;
  const { maxTimeMs } = project.settings;
  const started = performance.now();
  const warn = (text: string): void => emit({ type: 'warning', text });
  if (resumed) await setDamagedAside(repositoryRoot, loopId, warn);
  const own = createRunStore({ repositoryRoot, loopId });
  const store = replica === undefined ? own : replicatedStore(own, replica);
  const memory = createMemory({
    repositoryRoot,
    onDamaged: ({ path, problem }) => warn(`Skipped ${path}: it ${problem}.`),
  });
  const models = await openModels({
    project,
    loopId,
    resumed,
    store,
    memory,
    onRecorded: replica === undefined ? undefined : () => replica.save(),
    onCall: replica === undefined ? undefined : (most) => replica.noteCall(most),
    env: process.env,
    warn,
    timeLeftMs: () => (maxTimeMs === undefined ? undefined : maxTimeMs - (performance.now() - started)),
  });
  const spent = resumed ? memorySpentBefore(repositoryRoot, loopId) : NO_USAGE;
  const experience = await openExperience({ project, models, emit, spent });
  if (experience === undefined || siblings === undefined) return { store, memory, models, experience };
  const { exclusiveExperience } = await import('../tasks/exclusive-experience.ts');
  return { store, memory, models, experience: exclusiveExperience(experience, siblings.exclusive) };
}

/** Sets damaged files of a loop aside, each with a warning, so that the loop continues from its intact steps. */
async function setDamagedAside(
  repositoryRoot: string,
  loopId: string,
  warn: (text: string) => void,
): Promise<void> {
  for (const { path, problem, aside, lostSteps } of await salvageLoop(repositoryRoot, loopId)) {
    const repeated = lostSteps.length === 0 ? '' : ` Steps to repeat: ${lostSteps.join(', ')}.`;
    warn(`Set ${path} aside as ${aside}: ${problem}.${repeated}`);
  }
}
