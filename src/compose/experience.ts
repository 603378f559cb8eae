import { ACTORS } from '../actors.ts';
import type { RunEvent } from '../events.ts';
import { createExperience } from '../memory/passes/index.ts';
import { createPasses } from '../memory/passes/loop-passes.ts';
import { createLessonStore } from '../memory/lessons/store.ts';
import { searchExperience } from '../memory/recall/search-experience.ts';
import { readRepairs } from '../memory/recall/repairs.ts';
import type { Experience } from '../ports.ts';
import type { AcceptedEdit, Usage, WithheldMemory } from '../schema/generated.ts';
import { sumUsage } from '../schema/usage.ts';
import { sweepOrphans } from '../platform/files/durable-write.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { askThrough } from './ask-model.ts';
import type { Models } from './models.ts';
import type { Project } from './project.ts';

export interface ExperienceRequest {
  readonly project: Project;
  readonly models: Models;
  readonly emit: (event: RunEvent) => void;
  /** Usage of memory's models before the loop was resumed. */
  readonly spent: Usage;
}

/**
 * Opens long-term memory for a loop and removes temporary files of killed processes from its folder; undefined where the
 * settings turn memory off.
 */
export async function openExperience(request: ExperienceRequest): Promise<Experience | undefined> {
  const { project, models, emit } = request;
  const { repository, settings } = project;
  if (!settings.memory) return undefined;
  const repositoryRoot = repository.root;
  await sweepMemory(repositoryRoot);
  const warn = (text: string): void => emit({ type: 'warning', text });
  const lessons = createLessonStore({ repositoryRoot, onDamaged: warn });
  // The search actor reads no prompt; only fix patterns affect it.
  const onlyTypes = ACTORS[settings.actor].asks === 'nobody' ? (['fix_pattern'] as const) : undefined;
  const client = models.memory;
  if (settings.memoryModel && client === undefined)
    warn('--memory-model has no effect: no model is set. Set one with --model provider/model.');
  let { spent } = request;
  const ask =
    client &&
    askThrough(client, (event) => {
      if (event.type === 'model_called') spent = sumUsage([spent, event.usage]);
      emit(event);
    });
  const passes = createPasses({
    repositoryRoot,
    lessons,
    ask,
    settings,
    warn,
    report: (pass, { status, reason, stats }) => emit({ type: 'memory_pass', pass, status, reason, stats }),
  });
  const { withholdOneIn: oneIn, withholdSeed: seed, restAfter } = settings;
  const experiment = { oneIn, seed, restAfter };
  const spentSoFar = (): Usage => spent;
  return createExperience({
    repositoryRoot,
    lessons,
    passes,
    experiment,
    onlyTypes,
    warn,
    spent: spentSoFar,
  });
}

async function sweepMemory(repositoryRoot: string): Promise<void> {
  try {
    await sweepOrphans(ralphFolder(repositoryRoot).memory());
  } catch {
    // `ralphFolder` refuses a link that leads out of the repository; ralph never wrote anything behind it.
  }
}

/** Edits by which the search actor orders its candidates: earlier repairs and fix patterns. Unreadable lessons are ignored. */
export async function readSearchExperience(
  repositoryRoot: string,
  withheld: WithheldMemory | undefined,
): Promise<readonly AcceptedEdit[]> {
  const repairs = await readRepairs(repositoryRoot);
  const lessons = await createLessonStore({ repositoryRoot })
    .list()
    .catch(() => []);
  return searchExperience(repairs, lessons, withheld);
}
