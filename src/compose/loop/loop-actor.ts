import { ACTORS } from '../../actors.ts';
import type { Actor, Workspace } from '../../ports.ts';
import { openActor } from '../adapters.ts';
import type { LoopRequest } from './loop-request.ts';
import { recordingPath, type Models } from '../models.ts';

/**
 * Opens the actor of a loop for one workspace. With --record and --replay, the attempts of agents and commands are recorded and
 * repeated as a whole; models do the same call by call. Rejects with RalphError.
 */
export async function openLoopActor(
  { project }: Pick<LoopRequest, 'project'>,
  workspace: Workspace,
  models: Models,
): Promise<Actor> {
  const { repository, settings } = project;
  const { record, replay } = settings.model;
  const isSession = ['agent', 'command'].includes(ACTORS[settings.actor].asks);
  if (isSession && replay !== undefined) {
    const path = recordingPath(project, replay);
    const { readSessions } = await import('../../agents/llm/player.ts');
    const { createReplayingActor } = await import('../../agents/sessions/replaying-actor.ts');
    return createReplayingActor({ name: settings.actor, path, ...readSessions(path) });
  }
  const actor = await openActor(settings, repository.root, models);
  if (!isSession || record === undefined) return actor;
  const { createRecordingActor } = await import('../../agents/sessions/recording-actor.ts');
  return createRecordingActor(actor, { workspace, path: recordingPath(project, record) });
}
