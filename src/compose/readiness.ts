import { createAgentActor } from '../agents/acp/index.ts';
import { RalphError } from '../errors.ts';
import { checkModels } from './models.ts';
import type { Project } from './project.ts';

/** Who would edit and reflect here, and what is missing for it. */
export interface Readiness {
  readonly actor: string;
  readonly reflector: string;
  /** `provider/model`, or the agent; absent for actors that ask nobody. */
  readonly asks?: string;
  readonly problem?: string;
  readonly hint?: string;
}

/** Tells without asking anybody; never throws for what is missing. */
export async function readinessOf(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readiness> {
  const { actor, agent, agentSilenceMs, agentTimeoutMs, model, reflector } = project.settings;
  const asks = actor === 'acp' ? agent : ['react', 'cot'].includes(actor) ? model.name : undefined;
  const known = { actor, reflector, ...(asks !== undefined && { asks }) };
  try {
    if (actor === 'acp')
      createAgentActor({ agent: agent!, timeoutMs: agentTimeoutMs, silenceMs: agentSilenceMs });
    if (model.replay === undefined) await checkModels(project, env);
    return known;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { ...known, problem: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
  }
}
