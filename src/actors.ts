import { KNOWN_AGENTS } from './agents/acp/agents.ts';
import type { AgentActorOptions } from './agents/acp/index.ts';
import type { ModelClient } from './agents/llm/client.ts';
import type { Settings } from './config/settings.ts';
import type { Actor } from './ports.ts';
import type { AcceptedEdit, ActorName, Fixers, WithheldMemory } from './schema/generated.ts';

/** The input of an actor's factory; the settings are free of contradictions. */
export interface ActorRequest {
  readonly settings: Settings;
  /** Absolute path of the repository root. */
  readonly repository: string;
  /** Present for actors that ask a model. */
  readonly client: ModelClient | undefined;
  /** Reads the edits that earlier loops accepted in this repository, less what is withheld from the loop. */
  readonly readExperience: (withheld: WithheldMemory | undefined) => Promise<readonly AcceptedEdit[]>;
}

/** One kind of actor: its traits, and its factory, which imports its modules when called. */
export interface ActorRow {
  /** A short description for the user. */
  readonly label: string;
  /** Who decides on the edits: a model, a coding agent, a program, or nobody, for an offline search. */
  readonly asks: 'model' | 'agent' | 'command' | 'nobody';
  /** Whether it may write any code; such code is run by checks only inside a sandbox, if there is one. */
  readonly writesForeignCode: boolean;
  /** Whether it runs the linter's and the type checker's fixes itself, so that no fixers go before it. */
  readonly includesFixers: boolean;
  /** The default of `--fixers`. */
  readonly defaultFixers: Fixers;
  /** Whether its usage includes a cost, as --max-cost requires. */
  readonly reportsCost: boolean;
  /** The setting without which it cannot run, and how to set it. A missing model is reported with its key. */
  readonly needs?: {
    readonly setting: 'agent' | 'command';
    readonly problem: string;
    readonly remedy: string;
  };
  /** Rejects with RalphError if the actor cannot be started at all. */
  readonly create: (request: ActorRequest) => Promise<Actor>;
}

/** Every actor that `--actor` accepts. */
export const ACTORS = {
  search: {
    label: 'offline repair, no model, no key',
    asks: 'nobody',
    writesForeignCode: false,
    includesFixers: true,
    defaultFixers: 'quick',
    reportsCost: true,
    create: createSearch,
  },
  react: {
    label: 'a model with tools',
    asks: 'model',
    writesForeignCode: true,
    includesFixers: false,
    defaultFixers: 'quick',
    reportsCost: true,
    async create({ settings, repository, client }) {
      const { createReactActor } = await import('./agents/react.ts');
      return createReactActor({
        client: client!,
        repository,
        maxSteps: settings.model.maxSteps,
        commandTimeoutMs: settings.checkTimeoutMs,
      });
    },
  },
  cot: {
    label: 'one answer of a model',
    asks: 'model',
    writesForeignCode: true,
    includesFixers: false,
    defaultFixers: 'quick',
    reportsCost: true,
    async create({ repository, client }) {
      const { createCotActor } = await import('./agents/cot/index.ts');
      return createCotActor({ client: client!, repository });
    },
  },
  acp: {
    label: 'an installed coding agent',
    asks: 'agent',
    writesForeignCode: true,
    includesFixers: false,
    defaultFixers: 'quick',
    reportsCost: true,
    needs: {
      setting: 'agent',
      problem: '--actor acp needs an agent.',
      remedy: 'Name one: --agent opencode, or --agent "my-agent --acp"',
    },
    async create({ settings }) {
      const { createAgentActor } = await import('./agents/acp/index.ts');
      return createAgentActor(agentOptions(settings));
    },
  },
  command: {
    label: 'a program that reads the prompt',
    asks: 'command',
    writesForeignCode: true,
    includesFixers: false,
    defaultFixers: 'off',
    reportsCost: false,
    needs: {
      setting: 'command',
      problem: '--actor command needs a command.',
      remedy: 'Set one: --command "my-agent --stdin"',
    },
    async create({ settings }) {
      const { createCommandActor } = await import('./agents/command.ts');
      return createCommandActor({ command: settings.command!, timeoutMs: settings.agentTimeoutMs });
    },
  },
} satisfies Record<ActorName, ActorRow>;

/** Whether a value of --agent is the name of an agent, and no command line. */
export function isKnownAgent(name: string): boolean {
  return KNOWN_AGENTS.some((agent) => agent.name === name);
}

/** Whether an agent was seen to work in a sandbox, so that `--sandbox-agent auto` confines it. */
export function isConfinedAgent(name: string): boolean {
  return KNOWN_AGENTS.some((agent) => agent.name === name && agent.own !== undefined);
}

/** Time that an agent has for its first output, unless the limit of its attempt is shorter; a busy machine needs a minute. */
const LEAST_START_MS = 5 * 60_000;

/** How the settings ask the agent of --agent. */
export function agentOptions(settings: Settings): AgentActorOptions {
  return {
    agent: settings.agent!,
    timeoutMs: settings.agentTimeoutMs,
    silenceMs: settings.agentSilenceMs,
    startMs: Math.max(settings.agentSilenceMs, LEAST_START_MS),
    timeoutOption: '--agent-timeout',
    prices: settings.model.prices,
    confinement: settings.sandboxAgent,
  };
}

/** The row of an actor by the name in events and trajectories; undefined for any other name. */
export function actorRow(name: string | undefined): ActorRow | undefined {
  return name !== undefined && Object.hasOwn(ACTORS, name) ? ACTORS[name as ActorName] : undefined;
}

/** The model (`provider/model`) or the agent that the configured actor asks; undefined for the other actors. */
export function askedName({ actor, agent, model }: Settings): string | undefined {
  const { asks } = ACTORS[actor];
  if (asks === 'agent') return agent;
  return asks === 'model' ? model.name : undefined;
}

/** Creates the configured actor, behind the fixers unless these are off. Rejects with RalphError as its row does. */
export async function createActor(request: ActorRequest): Promise<Actor> {
  const { actor: name, fixers } = request.settings;
  const row: ActorRow = ACTORS[name];
  const actor = await row.create(request);
  const { propose } = request.settings;
  if (!propose && (row.includesFixers || fixers === 'off')) return actor;
  const { createFixersFirst } = await import('./agents/fixers-first.ts');
  const { createFixersActor } = await import('./repair/index.ts');
  return createFixersFirst(
    propose || fixers === 'search' ? await createSearch(request) : createFixersActor(),
    actor,
  );
}

async function createSearch({ client, settings, repository, readExperience }: ActorRequest): Promise<Actor> {
  const { createSearchActor } = await import('./repair/index.ts');
  const { readRecentChanges } = await import('./workspace/recent-changes.ts');
  const { readEarlierTexts } = await import('./workspace/earlier-texts.ts');
  const { readPastChanges } = await import('./workspace/past-changes.ts');
  return createSearchActor({
    maxCandidates: settings.search.maxCandidates,
    maxTimeMs: settings.search.maxTimeMs,
    minConfidence: settings.search.minConfidence,
    readRecentChanges: () => readRecentChanges(repository),
    readEarlierTexts: () => readEarlierTexts(repository),
    readExperience: settings.memory ? readExperience : undefined,
    readPastChanges: settings.memory ? () => readPastChanges(repository) : undefined,
    needsAnswer: settings.propose && settings.fixers !== 'search',
    proposeEdits:
      settings.propose && client !== undefined
        ? async (context) => {
            const { proposeEdits } = await import('./agents/proposals/propose-edits.ts');
            return proposeEdits(context, client, repository);
          }
        : undefined,
  });
}
