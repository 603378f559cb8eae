import type { AttemptContext } from '../ports/attempt.ts';
import { attemptPrompt } from '../prompts/attempt.ts';
import { renderPrompt } from '../prompts/render.ts';
import { shownFiles } from './shown-files/index.ts';

/** The prompt of an agent or a command for one attempt. */
export async function agentPrompt(context: AttemptContext): Promise<string> {
  const variables = attemptPrompt(context, await shownFiles(context));
  return renderPrompt('attempt', variables, context.project.repository);
}
