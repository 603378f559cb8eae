import { messageOf } from '../../errors.ts';
import { findAnswer } from '../../platform/text/json-answer.ts';
import type { AttemptContext, EditIdea, EditIdeas } from '../../ports/attempt.ts';
import { attemptPrompt } from '../../prompts/attempt.ts';
import { renderPrompt } from '../../prompts/render.ts';
import { answerShape } from '../../schema/model-shape.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { validate } from '../../schema/validate.ts';
import type { ModelClient } from '../llm/client.ts';
import { shownFiles, WITHOUT_TOOLS } from '../shown-files/index.ts';

/**
 * Asks a model once for small candidate edits. `repository`: absolute path, for its own prompts. Never rejects: without a usable
 * answer there are no edits, and a sentence says why. An edit that cannot be used does not affect the others.
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
    if (ending === 'stopped' || ending === 'length') return { ...readEdits(text), usage };
    return { ...nothing(detail || `The answer ended early: ${ending}.`), unanswered: true, usage };
  } catch (error) {
    return { ...nothing(messageOf(error)), unanswered: true, usage: NO_USAGE };
  }
}

type ReadIdeas = Pick<EditIdeas, 'edits' | 'unusable' | 'problem'>;

function nothing(problem: string): ReadIdeas {
  return { edits: [], unusable: [], problem };
}

const MAX_EDITS = 20;

function readEdits(text: string): ReadIdeas {
  const answer = findAnswer(text, ['edits']);
  if (typeof answer === 'string') return nothing(answer);
  const { edits: list } = answer as { readonly edits: unknown };
  if (!Array.isArray(list)) return nothing('`edits` of the answer is no list.');
  const read = list.slice(0, MAX_EDITS).map(readEdit);
  return {
    edits: read.filter((edit) => typeof edit !== 'string'),
    unusable: [
      ...read.filter((edit) => typeof edit === 'string'),
      ...list.slice(MAX_EDITS).map(() => `beyond the first ${MAX_EDITS}`),
    ],
  };
}

/** The edit, or why it cannot be tried. */
function readEdit(edit: unknown): EditIdea | string {
  const checked = validate('propose-answer', { edits: [edit] });
  if (checked.ok) return checked.value.edits[0]!;
  const { before } = (edit ?? {}) as { readonly before?: unknown };
  return before === '' ? 'without a text to replace' : 'in another form than the one asked for';
}
