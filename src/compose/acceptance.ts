import { createAgentWriter, type AgentWriterOptions } from '../agents/acceptance/agent-writer.ts';
import { createModelWriter } from '../agents/acceptance/index.ts';
import type { AcceptanceTests, Bench } from '../ports.ts';
import { createAcceptanceTests } from '../proof/acceptance/index.ts';
import type { Models } from './models.ts';

export interface AcceptanceSources {
  readonly models: Pick<Models, 'acceptance'>;
  /** The configured agent; undefined if the actor is none. */
  readonly agent?: Omit<AgentWriterOptions, 'repository'> | undefined;
  readonly bench: Bench;
  /** Absolute path. */
  readonly repository: string;
}

/** Acceptance tests by --acceptance-model, or else the actor's model, or else the agent; undefined without any. */
export function openAcceptanceTests(sources: AcceptanceSources): AcceptanceTests | undefined {
  const { models, agent, bench, repository } = sources;
  const { acceptance } = models;
  if (acceptance !== undefined)
    return createAcceptanceTests({ writer: createModelWriter(acceptance, repository), bench });
  if (agent === undefined) return undefined;
  return createAcceptanceTests({ writer: createAgentWriter({ ...agent, repository }), bench });
}
