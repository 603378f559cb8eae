import { validateLessonsPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Lesson, ValidationAnswer } from '../../../schema/generated.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, PASS_TIMEOUT_MS, type Asked } from '../common/ask-json.ts';
import type { ValidationRequest } from './pass.ts';

/** Asks a model to validate the drafts beside the stored lessons. Never rejects. */
export function askValidator(
  ask: AskModel,
  stored: readonly Lesson[],
  { repositoryRoot, drafts, record, signal, timeoutMs = PASS_TIMEOUT_MS }: ValidationRequest,
): Promise<Asked<ValidationAnswer>> {
  const variables = validateLessonsPrompt({ drafts, stored, record: record.join('\n') });
  return askForJson(ask, {
    answer: 'validation-answer',
    keys: ['corrected', 'missed', 'conflicts'],
    system: renderPrompt('validate-lessons-system', {}, repositoryRoot),
    prompt: renderPrompt('validate-lessons', variables, repositoryRoot),
    timeoutMs,
    signal,
    repository: repositoryRoot,
  });
}
