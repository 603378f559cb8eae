import type { Actor } from '../../ports.ts';
import type { Price } from '../../schema/generated.ts';
import { findAgent } from './find-agent.ts';

export interface AgentActorOptions {
  /** A known name, such as `opencode`, or a command line of a program that speaks the Agent Client Protocol. */
  readonly agent: string;
  /** The time limit of one attempt. */
  readonly timeoutMs: number;
  /** The longest time without output of the agent or its commands. */
  readonly silenceMs: number;
  /** USD per million tokens by `provider/model`, for agents that report tokens and a model but no cost. */
  readonly prices?: Readonly<Record<string, Price>>;
}

/**
 * The actor for an external coding agent, over the Agent Client Protocol or in the agent's headless mode. Each attempt
 * starts a process, which is ended with all its children; its edits stay in the tree. Throws RalphError if the agent is
 * not installed. The protocol's library is loaded by the first attempt.
 */
export function createAgentActor(options: AgentActorOptions): Actor {
  const found = findAgent(options.agent);
  return {
    name: 'acp',
    async attempt(context) {
      const { createAttempt } = await import('./attempt.ts');
      const attempt = await createAttempt(found.name, context, options);
      try {
        if (found.speaks === 'protocol') {
          const { attemptByProtocol } = await import('./protocol-attempt.ts');
          return await attemptByProtocol(found, attempt);
        }
        const { attemptHeadless } = await import('./headless-attempt.ts');
        return await attemptHeadless({ call: found.call, format: found.speaks }, attempt);
      } finally {
        attempt.watchdog.stop();
      }
    },
  };
}
