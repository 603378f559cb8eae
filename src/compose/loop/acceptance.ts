import { createAgentWriter } from '../../agents/acceptance/agent-writer.ts';
import { createModelWriter } from '../../agents/acceptance/model-writer.ts';
import { createAgentSessions } from '../../agents/acp/index.ts';
import { ACTORS, agentOptions } from '../../actors.ts';
import type { Settings } from '../../config/settings.ts';
import type { AcceptanceTests, AcceptanceWriter, Bench, ReviewTests, Workspace } from '../../ports.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import { createAcceptanceTests } from '../../proof/acceptance/index.ts';
import type { Models } from '../models.ts';

export interface AcceptanceRequirements {
  readonly settings: Settings;
  readonly bench: Bench;
  readonly workspace: Workspace;
  /** Confines the commands of an agent. */
  readonly sandbox: AttemptContext['sandbox'];
  readonly loopId: string;
  /** Absolute path. */
  readonly repository: string;
  readonly review: ReviewTests | undefined;
}

/** Acceptance tests by --acceptance-model, or else by the actor's model or agent; undefined if there is none of them. */
export function openAcceptanceTests(
  { acceptance }: Pick<Models, 'acceptance'>,
  requirements: AcceptanceRequirements,
): AcceptanceTests | undefined {
  const { bench, repository, review, settings } = requirements;
  const writer =
    acceptance === undefined
      ? openAgentWriter(settings, requirements)
      : createModelWriter(acceptance, repository);
  return writer && createAcceptanceTests({ writer, bench, review });
}

function openAgentWriter(
  settings: Settings,
  requirements: Omit<AcceptanceRequirements, 'settings' | 'bench' | 'review'>,
): AcceptanceWriter | undefined {
  // A recording has the attempts of an agent only, and the agent need not be installed.
  if (ACTORS[settings.actor].asks !== 'agent' || settings.model.replay !== undefined) return undefined;
  return createAgentWriter({
    ...requirements,
    name: settings.agent!,
    ask: createAgentSessions(agentOptions(settings)),
  });
}
