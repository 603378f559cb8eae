import { messageOf } from '../../errors.ts';
import { findAnswer, findCutList } from '../../platform/text/json-answer.ts';
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
    if (ending === 'stopped') return { ...readEdits(text, 'that cannot be read'), usage };
    if (ending === 'length') {
      const { problem, ...read } = readEdits(text, 'cut off at the output limit (see --max-output-tokens)');
      return { ...(problem === undefined ? read : nothing(detail || problem)), usage };
    }
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

/** `ofBrokenEdit`: why an edit that the answer begins and does not end cannot be tried. */
function readEdits(text: string, ofBrokenEdit: string): ReadIdeas {
  const answer = findAnswer(text, ['edits']);
  if (typeof answer !== 'string') {
    const { edits } = answer as { readonly edits: unknown };
    return Array.isArray(edits) ? readList(edits) : nothing('`edits` of the answer is no list.');
  }
  const { items, isCut } = findCutList(text, 'edits');
  if (items.length === 0) return nothing(answer);
  const read = readList(items);
  return isCut ? { ...read, unusable: [...read.unusable, ofBrokenEdit] } : read;
}

function readList(list: readonly unknown[]): ReadIdeas {
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
