import { messageOf } from '../../errors.ts';
import { findAnswer } from '../../platform/text/json-answer.ts';
import type { AttemptContext, EditIdeas } from '../../ports/attempt.ts';
import { attemptPrompt } from '../../prompts/attempt.ts';
import { renderPrompt } from '../../prompts/render.ts';
import { answerShape } from '../../schema/model-shape.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import type { ModelClient } from '../llm/client.ts';
import { shownFiles, WITHOUT_TOOLS } from '../shown-files/index.ts';

/**
 * Asks a model once for small candidate edits. `repository`: absolute path, for its own prompts. Never rejects: without a usable
 * answer there are no edits, and a sentence says why.
 */
export async function proposeEdits(
  context: AttemptContext,
  client: ModelClient,
  repository: string,
): Promise<EditIdeas> {
  try {
    const shown = await shownFiles(context, WITHOUT_TOOLS);
    const { usage, ending, detail, text } = await client.converse({
      system: renderPrompt('propose-system', {}, repository),
      prompt: renderPrompt('cot', attemptPrompt(context, shown), repository).trim(),
      answerSchema: answerShape('propose-answer'),
      maxSteps: 1,
      signal: context.signal,
      onWork: context.onWork,
    });
    if (ending !== 'stopped')
      return { edits: [], usage, problem: detail || `The answer ended early: ${ending}.` };
    return { ...readEdits(text), usage };
  } catch (error) {
    return { edits: [], usage: NO_USAGE, problem: messageOf(error) };
  }
}

function readEdits(text: string): Pick<EditIdeas, 'edits' | 'problem'> {
  const answer = findAnswer(text, ['edits']);
  if (typeof answer === 'string') return { edits: [], problem: answer };
  const checked = validate('propose-answer', answer);
  return checked.ok
    ? { edits: checked.value.edits }
    : { edits: [], problem: renderProblems(checked.problems) };
}
