import type { ModelClient } from './llm/client.ts';
import type { Actor } from '../ports.ts';
import type { AttemptContext } from '../ports/attempt.ts';
import { plural } from '../platform/text/plural.ts';
import { attemptPrompt } from '../prompts/attempt.ts';
import { renderPrompt } from '../prompts/render.ts';
import type { Action } from '../schema/generated.ts';
import { modelTrajectory } from './model-trajectory.ts';
import { shownFiles } from './shown-files/index.ts';
import { createTools } from './tools/index.ts';

export interface ReactOptions {
  readonly client: ModelClient;
  /** The maximum number of model calls of one attempt. */
  readonly maxSteps: number;
  /** The timeout of one command of the model. */
  readonly commandTimeoutMs: number;
  /** Absolute path of the repository, whose prompt templates override the bundled ones. */
  readonly repository: string;
}

/**
 * ReAct (Yao et al., 2023), the actor for decision making in the Reflexion paper: the model reasons, calls tools in the
 * workspace and reads their results, until it stops or reaches a limit.
 */
export function createReactActor(options: ReactOptions): Actor {
  return { name: 'react', attempt: (context) => attempt(context, options) };
}

async function attempt(
  context: AttemptContext,
  { client, maxSteps, commandTimeoutMs, repository }: ReactOptions,
): ReturnType<Actor['attempt']> {
  const started = performance.now();
  const actions: Action[] = [];
  const onAction = (action: Action): void => {
    actions.push(action);
    context.onWork({ type: 'action', action });
  };
  const reply = await client.converse({
    system: renderPrompt('react-system', {}, repository),
    prompt: renderPrompt('context', attemptPrompt(context, await shownFiles(context)), repository).trim(),
    tools: createTools({
      root: context.root,
      cwd: context.project.packageDir,
      bashTimeoutMs: commandTimeoutMs,
      sandbox: context.sandbox,
      onAction,
    }),
    maxSteps,
    signal: context.signal,
    onWork: context.onWork,
  });
  return modelTrajectory({
    actor: 'react',
    started,
    actions,
    reply,
    strategy: `ReAct with ${client.name}: ${plural(reply.steps, 'model call')}, ${plural(actions.length, 'action')}`,
  });
}
