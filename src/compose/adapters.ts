import { createAgentActor } from '../agents/acp/index.ts';
import { createCommandActor } from '../agents/command.ts';
import { createCotActor } from '../agents/cot/index.ts';
import { createFixersFirst } from '../agents/fixers-first.ts';
import { createReactActor } from '../agents/react.ts';
import { createFixersActor, createSearchActor } from '../repair/index.ts';
import { createSelfTester } from '../agents/self-tests/index.ts';
import type { Settings } from '../config/settings.ts';
import type { Actor, Reflector } from '../ports.ts';
import { createLlmReflector } from '../agents/reflectors/llm.ts';
import { createRulesReflector } from '../agents/reflectors/rules.ts';
import type { ActorName } from '../schema/generated.ts';
import { readRecentChanges } from '../workspace/recent-changes.ts';
import { readSearchExperience } from './experience.ts';
import type { Models } from './models.ts';

interface ActorRequest {
  readonly settings: Settings;
  /** Absolute path. */
  readonly repository: string;
  readonly models: Models;
}

type Factory = (request: ActorRequest) => Actor;

const ACTORS = {
  search: createSearch,
  react: ({ settings, repository, models }) =>
    createReactActor({
      ...{ client: models.actor!, repository, maxSteps: settings.model.maxSteps },
      commandTimeoutMs: settings.checkTimeoutMs,
      ...(settings.selfTests && { selfTester: createSelfTester(models.actor!, repository) }),
    }),
  cot: ({ repository, models }) => createCotActor({ client: models.actor!, repository }),
  acp: ({ settings }) =>
    createAgentActor({
      agent: settings.agent!,
      timeoutMs: settings.agentTimeoutMs,
      silenceMs: settings.agentSilenceMs,
      prices: settings.model.prices,
    }),
  command: ({ settings }) => createCommandActor({ command: settings.command! }),
} satisfies Record<ActorName, Factory>;

/** The actor of the settings, behind the fixers where these go first. */
export function createActor(settings: Settings, repository: string, models: Models): Actor {
  const request = { settings, repository, models };
  const actor = ACTORS[settings.actor](request);
  if (settings.actor === 'search' || settings.fixers === 'off') return actor;
  return createFixersFirst(settings.fixers === 'quick' ? createFixersActor() : createSearch(request), actor);
}

/** A model where the settings ask for one, and the rules behind it. */
export function createReflector({ reflector }: Models, repository: string): Reflector {
  return reflector === undefined
    ? createRulesReflector()
    : createLlmReflector({ client: reflector, repository });
}

function createSearch({ settings, repository }: ActorRequest): Actor {
  return createSearchActor({
    ...settings.search,
    readRecentChanges: () => readRecentChanges(repository),
    ...(settings.memory && { readExperience: () => readSearchExperience(repository) }),
  });
}
