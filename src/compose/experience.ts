import type { RunEvent } from '../events.ts';
import { createPasses } from '../memory/passes/passes.ts';
import { createLessonStore } from '../memory/lessons/store.ts';
import { createExperience } from '../memory/recall/experience.ts';
import { searchExperience } from '../memory/recall/search-experience.ts';
import { readRepairs } from '../memory/recall/repairs.ts';
import type { Experience } from '../ports.ts';
import type { AcceptedEdit, Usage } from '../schema/generated.ts';
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
  /** What its models took before the loop was resumed. */
  readonly spent: Usage;
}

/**
 * Long-term memory of the repository, without what a killed process left half written in it; undefined where the
 * settings turn it off.
 */
export async function openExperience(request: ExperienceRequest): Promise<Experience | undefined> {
  const { project, models, emit } = request;
  const { repository, settings } = project;
  if (!settings.memory) return undefined;
  const repositoryRoot = repository.root;
  await sweepMemory(repositoryRoot);
  const warn = (text: string): void => emit({ type: 'warning', text });
  const lessons = createLessonStore({ repositoryRoot, onDamaged: warn });
  // The search reads no prompt: what it can use is what fixed things before.
  const onlyTypes = settings.actor === 'search' ? (['fix_pattern'] as const) : undefined;
  const client = models.memory;
  if (settings.memoryModel && client === undefined)
    warn('--memory-model: no model is set, so rules look after memory. Name one: --model provider/model');
  let { spent } = request;
  const ask =
    client &&
    askThrough(client, (event) => {
      if (event.type === 'model_called') spent = sumUsage([spent, event.usage]);
      emit(event);
    });
  const passes = createPasses({
    ...{ repositoryRoot, lessons, ask, settings, warn },
    report: (pass, { status, reason, stats }) => emit({ type: 'memory_pass', pass, status, reason, stats }),
  });
  return createExperience({ repositoryRoot, lessons, passes, onlyTypes, warn, spent: () => spent });
}

async function sweepMemory(repositoryRoot: string): Promise<void> {
  try {
    await sweepOrphans(ralphFolder(repositoryRoot).memory());
  } catch {
    // A link that leads out of the repository: nothing of ours is behind it.
  }
}

/** What orders the search: earlier repairs, and the lessons that say how things are fixed here. */
export async function readSearchExperience(repositoryRoot: string): Promise<readonly AcceptedEdit[]> {
  const repairs = await readRepairs(repositoryRoot);
  const lessons = await createLessonStore({ repositoryRoot })
    .list()
    .catch(() => []);
  return searchExperience(repairs, lessons);
}
