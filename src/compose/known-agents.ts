import { KNOWN_AGENTS } from '../agents/acp/agents.ts';
import { findAgent } from '../agents/acp/find-agent.ts';
import { RalphError } from '../errors.ts';

/** Every agent name that `--agent` accepts. */
export const AGENT_NAMES: readonly string[] = KNOWN_AGENTS.map(({ name }) => name);

/** The known agents installed in the folders of `path`, a value of the PATH variable. */
export function installedAgents(path: string): string[] {
  return AGENT_NAMES.filter((name) => {
    try {
      return findAgent(name, path).name === name;
    } catch (error) {
      if (error instanceof RalphError) return false;
      throw error;
    }
  });
}
