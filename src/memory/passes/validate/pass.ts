import { messageOf } from '../../../errors.ts';
import { keptAdvice } from '../../lessons/advice-problem.ts';
import { plural } from '../../../platform/text/plural.ts';
import type { Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { LessonCandidate, LessonStore, PassResult } from '../../lessons/contract.ts';
import type { AskModel } from '../common/ask.ts';
import { done, idle } from '../common/result.ts';
import { applyAnswer, type ValidationCounts } from './apply-answer.ts';
import { askValidator } from './ask.ts';
import { relatedLessons } from './related.ts';
import { validateByRules } from './rules.ts';

/** Counts of a validation, with its tokens and duration. */
export interface ValidationStats extends ValidationCounts {
  readonly drafts: number;
  readonly tokens: number;
  readonly ms: number;
}

export interface ValidationRequest {
  readonly repositoryRoot: string;
  readonly drafts: readonly LessonCandidate[];
  /** Output of the checks and the actor's tools; quotes and names are looked up in it. */
  readonly record: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Validated {
  /** Candidates for the gate. */
  readonly candidates: readonly LessonCandidate[];
  readonly result: PassResult<ValidationStats>;
}

/**
 * Checks drafts of lessons against the record of the attempt and the stored lessons, before they go to the gate. If the
 * model fails, times out or sends no valid answer, all drafts are kept unchanged. Never rejects.
 */
export async function validateLessons(
  request: ValidationRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<Validated> {
  const { drafts, record } = request;
  const started = performance.now();
  const statsFor = (counts: ValidationCounts, usage: Usage): ValidationStats => ({
    drafts: drafts.length,
    ...counts,
    tokens: usage.input_tokens + usage.output_tokens,
    ms: Math.round(performance.now() - started),
  });
  const keepAll = (reason: string, usage: Usage): Validated => ({
    candidates: drafts,
    result: done('fallback', reason, statsFor(UNCHANGED, usage), usage),
  });
  try {
    if (drafts.length === 0)
      return { candidates: drafts, result: idle('noop', 'no_drafts', statsFor(UNCHANGED, NO_USAGE)) };
    const stored = relatedLessons(await store.list(['active', 'staged']), drafts);
    const asked =
      ask === undefined
        ? ({ ok: true, value: validateByRules(drafts, stored, record), usage: NO_USAGE } as const)
        : await askValidator(ask, stored, request);
    if (!asked.ok) return keepAll(asked.reason, asked.usage);
    const kept = (text: string, draft?: LessonCandidate): string | undefined =>
      keptAdvice(request.repositoryRoot, { text, files: draft?.files });
    const input = { drafts, stored, record, ...(ask === undefined ? {} : { kept }) };
    const { candidates, counts } = applyAnswer(asked.value, input);
    const { modified, removed, missedAdded, conflictsFound } = counts;
    const changed = modified + removed + missedAdded + conflictsFound;
    const conflicts = plural(conflictsFound, 'conflict');
    const reason = `${modified} enriched, ${removed} removed, ${missedAdded} added, ${conflicts}`;
    return {
      candidates,
      result: done(changed === 0 ? 'noop' : 'ok', reason, statsFor(counts, asked.usage), asked.usage),
    };
  } catch (error) {
    return keepAll(messageOf(error), NO_USAGE);
  }
}

const UNCHANGED: ValidationCounts = {
  modified: 0,
  removed: 0,
  missedAdded: 0,
  voided: 0,
  conflictsFound: 0,
  resolved: { keep_new: 0, keep_existing: 0, merge: 0 },
};
