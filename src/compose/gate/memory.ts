import type { RunEvent } from '../../events.ts';
import type { Experience } from '../../ports.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { openExperience } from '../experience.ts';
import type { Project } from '../project.ts';

/** The gate asks no model: its answer must come at once, and costs nothing. */
const NO_MODELS = {
  actor: undefined,
  samples: [],
  reflector: undefined,
  memory: undefined,
  acceptance: undefined,
  judge: undefined,
};

/** Long-term memory for a session, by rules alone; undefined where the settings turn it off. */
export function openGateMemory(
  project: Project,
  emit: (event: RunEvent) => void,
): Promise<Experience | undefined> {
  const settings = { ...project.settings, memoryModel: false };
  return openExperience({
    project: { ...project, settings },
    models: NO_MODELS,
    emit,
    spent: NO_USAGE,
  });
}
