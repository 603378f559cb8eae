import { ACTORS, askedName } from '../actors.ts';
import { findAgent } from '../agents/acp/find-agent.ts';
import { RalphError } from '../errors.ts';
import { checkModels } from './models.ts';
import type { Project } from './project.ts';

/** The configured actor and reflector, and the first problem that keeps them from starting. */
export interface Readiness {
  readonly actor: string;
  readonly reflector: string;
  /** `provider/model` or the agent; absent for actors that ask neither. */
  readonly asks?: string;
  readonly problem?: string;
  readonly hint?: string;
}

/** Checks agent, models and keys without calling any of them. What is missing is the result's `problem`. */
export async function readinessOf(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readiness> {
  const { actor, agent, model, reflector } = project.settings;
  const configured = { actor, reflector, asks: askedName(project.settings) };
  try {
    if (ACTORS[actor].asks === 'agent') findAgent(agent!);
    if (model.replay === undefined) await checkModels(project, env);
    return configured;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { ...configured, problem: error.message, hint: error.hint };
  }
}
