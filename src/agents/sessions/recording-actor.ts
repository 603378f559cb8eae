import type { Actor, Workspace } from '../../ports.ts';
import { agentPrompt } from '../agent-prompt.ts';
import { appendSession } from './recorded-session.ts';

export interface RecordingActorOptions {
  /** The workspace that the actor edits. */
  readonly workspace: Workspace;
  /** Absolute path of a recording that was begun. */
  readonly path: string;
}

/** The same actor, whose attempts are recorded: prompt, edits and trajectory. An attempt that is aborted is not recorded. */
export function createRecordingActor(actor: Actor, { workspace, path }: RecordingActorOptions): Actor {
  return {
    name: actor.name,
    async attempt(context) {
      const prompt = await agentPrompt(context);
      const start = await workspace.checkpoint();
      const trajectory = await actor.attempt(context);
      if (context.signal.aborted) return trajectory;
      const { patch } = await workspace.changes(start, await workspace.checkpoint());
      const { iteration: attempt, sample = null } = context;
      appendSession(path, { attempt, sample, prompt, patch, trajectory });
      return trajectory;
    },
  };
}
