import { KNOWN_AGENTS } from '../agents/acp/agents.ts';
import { findAgent } from '../agents/acp/find-agent.ts';
import { RalphError } from '../errors.ts';

/** Every name that `--agent` knows. */
export const AGENT_NAMES: readonly string[] = KNOWN_AGENTS.map(({ name }) => name);

/** Those that are installed, by the folders of a PATH. */
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
