import type { Config } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';
import { openProject, type Project, type ProjectRequest } from '../project.ts';

/** A call of the gate. */
export interface GateCall {
  /** Absolute path of the folder that the agent works in. */
  readonly cwd: string;
  /** Settings from the command line, not yet validated. */
  readonly flags: Config;
  readonly env: ProjectRequest['env'];
  readonly confirm?: ProjectRequest['confirm'];
}

/**
 * The project as the gate judges it: in a copy of the tree, with failures of the start accepted, and with memory for an actor
 * that can read lessons. Throws RalphError.
 */
export async function openGateProject(
  { cwd, flags, env, confirm }: GateCall,
  repository: Repository,
): Promise<Project> {
  const project = await openProject({ cwd, repository, flags, env, confirm });
  const settings = {
    ...project.settings,
    isolation: 'worktree',
    noRegressions: true,
    actor: 'command',
  } as const;
  return { ...project, settings };
}
