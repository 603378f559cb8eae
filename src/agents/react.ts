import type { ModelClient } from './llm/client.ts';
import type { Actor, AttemptContext } from '../ports.ts';
import { attemptPrompt } from '../prompts/attempt.ts';
import { renderPrompt } from '../prompts/render.ts';
import type { Action } from '../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../schema/usage.ts';
import { modelTrajectory } from './model-trajectory.ts';
import type { SelfTester } from './self-tests/index.ts';
import { createTools } from './tools/index.ts';

export interface ReactOptions {
  readonly client: ModelClient;
  /** Model calls of one attempt at most. */
  readonly maxSteps: number;
  /** One command of the model's at most. */
  readonly commandTimeoutMs: number;
  /** Absolute path of the repository, whose own prompt templates win. */
  readonly repository: string;
  readonly selfTester?: SelfTester;
}

/**
 * ReAct (Yao et al., 2023), the paper's actor for decisions: the model reasons, acts through tools in the workspace,
 * sees what came of it, and goes on until it stops by itself or a bound stops it.
 */
export function createReactActor(options: ReactOptions): Actor {
  return { name: 'react', attempt: (context) => attempt(context, options) };
}

async function attempt(
  context: AttemptContext,
  { client, maxSteps, commandTimeoutMs, repository, selfTester }: ReactOptions,
): ReturnType<Actor['attempt']> {
  const started = performance.now();
  const actions: Action[] = [];
  const onAction = (action: Action): void => {
    actions.push(action);
    context.onWork({ type: 'action', action });
  };
  const prepared = (await selfTester?.prepare(context)) ?? NO_USAGE;
  const reply = await client.converse({
    system: renderPrompt('react-system', {}, repository),
    prompt: renderPrompt('context', attemptPrompt(context), repository).trim(),
    tools: createTools({
      root: context.root,
      cwd: context.project.packageDir,
      bashTimeoutMs: commandTimeoutMs,
      sandbox: context.sandbox,
      onAction,
    }),
    maxSteps,
    ...(selfTester !== undefined && { onEnd: () => selfTester.review(context) }),
    signal: context.signal,
    onWork: context.onWork,
  });
  const calls = `${reply.steps} model ${reply.steps === 1 ? 'call' : 'calls'}`;
  const selfTests = reply.steps === 0 ? undefined : await selfTester?.result(context);
  const trajectory = modelTrajectory({
    ...{ actor: 'react', started, actions, reply },
    strategy: `ReAct with ${client.name}: ${calls}, ${actions.length} actions`,
  });
  return {
    ...trajectory,
    usage: sumUsage([prepared, reply.usage]),
    ...(selfTests !== undefined && { self_tests: selfTests }),
  };
}
