import type { Actor } from '../../ports.ts';
import type { Price } from '../../schema/generated.ts';
import { findAgent } from './find-agent.ts';

export interface AgentActorOptions {
  /** A known name, such as `opencode`, or a command line that speaks the Agent Client Protocol on stdin and stdout. */
  readonly agent: string;
  /** One attempt at most. */
  readonly timeoutMs: number;
  /** How long the agent may say and do nothing. */
  readonly silenceMs: number;
  /** USD for a million tokens by `provider/model`, for agents that report tokens and a model but no cost. */
  readonly prices?: Readonly<Record<string, Price>>;
}

/**
 * An external coding agent as the actor: over the Agent Client Protocol where it speaks it, else in its headless mode.
 * Each attempt has a process of its own, which ends with all of its children; what it edited stays. Throws RalphError
 * at once where there is no such agent. The protocol's library loads with the first attempt.
 */
export function createAgentActor(options: AgentActorOptions): Actor {
  const found = findAgent(options.agent);
  return {
    name: 'acp',
    async attempt(context) {
      const { createAttempt } = await import('./attempt.ts');
      const attempt = createAttempt(found.name, context, options);
      try {
        if (found.speaks === 'protocol') {
          const { attemptByProtocol } = await import('./protocol-attempt.ts');
          return await attemptByProtocol(found, attempt);
        }
        const { attemptHeadless } = await import('./headless-attempt.ts');
        return await attemptHeadless({ call: found.call, format: found.speaks }, attempt);
      } finally {
        attempt.watch.stop();
      }
    },
  };
}
