import type { GateSession } from '../../schema/generated.ts';
import { findCarried } from '../../workspace/carry.ts';
import { enterAt, type Repository } from '../../workspace/repository.ts';
import { foldersOf, surroundingsStamp } from '../evaluation-key.ts';
import { programsStamp } from '../installed-stamp.ts';
import type { Project } from '../project.ts';
import { carriedGlobs } from '../workbench.ts';
import { withEnvironmentOf } from './environment-of-start.ts';
import { openGateProject, type GateCall } from './gate-project.ts';
import { withVariablesOf } from './variables-of-start.ts';

/** The project of a session, and what its checks read beside the tree. */
export interface SessionProject {
  readonly project: Project;
  readonly watched: NonNullable<GateSession['watched']>;
  /** Ignored files that are copied, relative to the root. */
  readonly carried: readonly string[];
  /** Stamps of `watched` from before anything was judged. */
  readonly programs: string;
  readonly surroundings: string;
}

/** Opens the project in the folder and with the settings of the session's start. Throws RalphError. */
export async function openSessionProject(
  call: GateCall,
  repository: Repository,
  session: GateSession,
): Promise<SessionProject> {
  const cwd = session.cwd === '' ? repository.root : `${repository.root}/${session.cwd}`;
  const flags = { ...session.config, ...call.flags };
  const env = withEnvironmentOf(session, withVariablesOf(session, call.env));
  const opened = await openGateProject({ ...call, cwd, flags, env }, enterAt(repository, cwd));
  const needed = (session.needed ?? []).map(({ file }) => `/${file}`);
  const project = {
    ...opened,
    settings: { ...opened.settings, carry: [...opened.settings.carry, ...needed] },
  };
  const watched = { folders: foldersOf(project.plan), carry: carriedGlobs(project) };
  const programs = programsStamp(repository.root, watched.folders);
  const carried = await findCarried(repository, watched.carry);
  const surroundings = await surroundingsStamp(repository, watched, carried);
  return { project, watched, carried, programs, surroundings };
}
