import { microReflectionPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Lesson, MicroAnswer } from '../../../schema/generated.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, PASS_TIMEOUT_MS, type Asked } from '../common/ask-json.ts';
import type { MicroRequest } from './pass.ts';
import { MICRO_LIMITS, MICRO_PHRASES } from './settings.ts';
import { renderEntry, type MicroWindow } from './window.ts';

/** Asks a model for the facts in a window, beside the lessons that are known already. Never rejects. */
export function askForFacts(
  ask: AskModel,
  window: MicroWindow,
  known: readonly Lesson[],
  { repositoryRoot, signal, trigger, timeoutMs = PASS_TIMEOUT_MS }: MicroRequest,
): Promise<Asked<MicroAnswer>> {
  const variables = microReflectionPrompt({
    what: MICRO_PHRASES[trigger],
    maxFacts: MICRO_LIMITS[trigger].facts,
    known,
    session: window.entries.map(renderEntry).join('\n'),
  });
  return askForJson(ask, {
    answer: 'micro-answer',
    keys: ['facts'],
    system: renderPrompt('micro-reflection-system', {}, repositoryRoot),
    prompt: renderPrompt('micro-reflection', variables, repositoryRoot),
    timeoutMs,
    signal,
    repository: repositoryRoot,
  });
}
