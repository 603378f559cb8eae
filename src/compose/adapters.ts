import { createActor } from '../actors.ts';
import { createLlmReflector } from '../agents/reflectors/llm.ts';
import { createRulesReflector } from '../agents/reflectors/rules.ts';
import type { Settings } from '../config/settings.ts';
import type { Actor, Reflector } from '../ports.ts';
import { readSearchExperience } from './experience.ts';
import type { Models } from './models.ts';

/** Creates the actor of the settings. Rejects with RalphError if it cannot be started, such as an agent not installed. */
export function openActor(settings: Settings, repository: string, models: Models): Promise<Actor> {
  return createActor({
    settings,
    repository,
    client: models.actor,
    readExperience: (withheld) => readSearchExperience(repository, withheld),
  });
}

/** Creates the reflector: a model with the rules as its fallback, or the rules alone. */
export function createReflector({ reflector }: Models, repository: string): Reflector {
  return reflector === undefined
    ? createRulesReflector()
    : createLlmReflector({ client: reflector, repository });
}
