import { ACTORS, isConfinedAgent } from '../../actors.ts';
import type { Settings } from '../../config/settings.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import type { AgentConfinement, Config } from '../../schema/generated.ts';

/** True if who runs the worker has said how agents are confined. */
function isDecided({ sandbox, sandboxAgent }: Config): boolean {
  return sandbox === 'off' || sandboxAgent === 'off' || sandboxAgent === 'on';
}

/**
 * How a worker with these flags confines agents: not `auto`, with which an agent has the rights of the worker where the sandbox has no
 * means to confine it.
 */
export function agentConfinement(overrides: Config): AgentConfinement | undefined {
  return isDecided(overrides) ? overrides.sandboxAgent : 'on';
}

/**
 * Throws RalphError `actor_failed` for an agent that was not seen to work in a sandbox, unless the worker's flags decide on it: with
 * the worker's rights, an agent can read the address of the database and all keys from /proc.
 */
export function requireConfinedAgent({ actor, agent }: Settings, overrides: Config): void {
  if (ACTORS[actor].asks !== 'agent' || agent === undefined) return;
  if (isDecided(overrides) || isConfinedAgent(agent)) return;
  throw new RalphError(
    `${agent} was not seen to work in a sandbox, and with the rights of the worker it could read the address of the database and every key.`,
    {
      code: 'actor_failed',
      exitCode: ExitCode.actor,
      hint: `A worker confines it all the same with --sandbox-agent on (and --sandbox-write FOLDER for the folder that ${agent} keeps), or lets it read all of that with --sandbox-agent off.`,
    },
  );
}
