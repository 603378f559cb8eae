import { messageOf } from '../../../errors.ts';
import { validateLessonsPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { LessonCandidate, LessonStore, PassResult } from '../../lessons/contract.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, PASS_TIMEOUT_MS } from '../common/ask-json.ts';
import { done, idle } from '../common/result.ts';
import { carryOut, type ValidationStats } from './carry-out.ts';
import { relatedLessons } from './related.ts';
import { validateByRules } from './rules.ts';

export interface ValidationRequest {
  readonly repositoryRoot: string;
  readonly drafts: readonly LessonCandidate[];
  /** What really happened, in pieces: quotes and names are looked for in it. */
  readonly record: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What is to be admitted, and how it came to that. */
export interface Validated {
  readonly candidates: readonly LessonCandidate[];
  readonly result: PassResult<ValidationStats>;
}

/**
 * Checks drafts of lessons against what really happened and what is stored, before they go through the gate. Where
 * the model fails, is late or answers with nothing that can be read, all drafts are kept as they are. Never rejects.
 */
export async function validateLessons(
  request: ValidationRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<Validated> {
  const { drafts, record } = request;
  const started = performance.now();
  const stats = (counts: Partial<ValidationStats>, usage: Usage): ValidationStats => ({
    ...UNCHANGED,
    ...{ drafts: drafts.length, ...counts, tokens: usage.input_tokens + usage.output_tokens },
    ms: Math.round(performance.now() - started),
  });
  const keepAll = (reason: string, usage: Usage): Validated => ({
    candidates: drafts,
    result: done('fallback', reason, stats({}, usage), usage),
  });
  try {
    if (drafts.length === 0)
      return { candidates: drafts, result: idle('noop', 'no_drafts', stats({}, NO_USAGE)) };
    const stored = relatedLessons(await store.list(['active', 'staged']), drafts);
    const asked =
      ask === undefined
        ? ({ ok: true, value: validateByRules(drafts, stored, record), usage: NO_USAGE } as const)
        : await askValidator(ask, stored, request);
    if (!asked.ok) return keepAll(asked.reason, asked.usage);
    const { candidates, counts } = carryOut(asked.value, { drafts, stored, record });
    const { modified, removed, missedAdded, conflictsFound } = counts;
    const changed = modified + removed + missedAdded + conflictsFound;
    const reason = `${modified} enriched, ${removed} removed, ${missedAdded} added, ${conflictsFound} conflicts`;
    return {
      candidates,
      result: done(changed === 0 ? 'noop' : 'ok', reason, stats(counts, asked.usage), asked.usage),
    };
  } catch (error) {
    return keepAll(messageOf(error), NO_USAGE);
  }
}

const UNCHANGED: ValidationStats = {
  ...{ drafts: 0, modified: 0, removed: 0, missedAdded: 0, voided: 0, conflictsFound: 0, tokens: 0, ms: 0 },
  resolved: { keep_new: 0, keep_existing: 0, merge: 0 },
};

function askValidator(
  ask: AskModel,
  stored: Parameters<typeof validateLessonsPrompt>[0]['stored'],
  { repositoryRoot, drafts, record, signal, timeoutMs = PASS_TIMEOUT_MS }: ValidationRequest,
) {
  const variables = validateLessonsPrompt({ drafts, stored, record: record.join('\n') });
  return askForJson(ask, {
    answer: 'validation-answer',
    keys: ['corrected', 'missed', 'conflicts'],
    system: renderPrompt('validate-lessons-system', {}, repositoryRoot),
    prompt: renderPrompt('validate-lessons', variables, repositoryRoot),
    ...{ timeoutMs, signal, repository: repositoryRoot },
  });
}
