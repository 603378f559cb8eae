import type { Lesson, LessonConflict, MissedLesson, ValidationAnswer } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../../lessons/contract.ts';
import { groundIn } from '../../lessons/gate/ground.ts';
import { flatten, strangeTerms } from '../common/terms.ts';

/** What a validation changed. */
export interface ValidationStats {
  readonly drafts: number;
  /** Enriched. */
  readonly modified: number;
  readonly removed: number;
  /** What was missed, and whose quote stands in the record. */
  readonly missedAdded: number;
  /** Enrichments that name what the record does not: the draft stays as it was. */
  readonly voided: number;
  readonly conflictsFound: number;
  readonly resolved: {
    readonly keep_new: number;
    readonly keep_existing: number;
    readonly merge: number;
  };
  readonly tokens: number;
  readonly ms: number;
}

export interface CarryOut {
  readonly drafts: readonly LessonCandidate[];
  /** Those that the validator was shown. */
  readonly stored: readonly Lesson[];
  /** What really happened, in pieces. */
  readonly record: readonly string[];
  readonly model?: string | undefined;
}

export interface CarriedOut {
  /** For the gate, in the drafts' order, missed ones behind them. */
  readonly candidates: readonly LessonCandidate[];
  readonly counts: Omit<ValidationStats, 'drafts' | 'tokens' | 'ms'>;
}

/**
 * Carries an answer out on the drafts. A draft that it does not name is kept; one whose better wording names a
 * command, path or symbol that the record does not stays as it was. A conflict is settled through the gate: what is
 * kept supersedes, what is not kept is left out; against a lesson that the user pinned or stated, nothing new is kept.
 */
export function carryOut(
  { corrected = [], missed = [], conflicts = [] }: ValidationAnswer,
  input: CarryOut,
): CarriedOut {
  const counts = { modified: 0, removed: 0, missedAdded: 0, voided: 0, conflictsFound: 0 };
  const resolved = { keep_new: 0, keep_existing: 0, merge: 0 };
  const ground = groundIn({ kind: 'texts', texts: input.record });
  const byDraft = new Map(corrected.map((correction) => [correction.draft, correction]));
  const settled = conflicts.filter(
    (one, at) =>
      input.drafts[one.draft] !== undefined &&
      input.stored.some(({ id }) => id === one.existing) &&
      conflicts.findIndex(({ draft }) => draft === one.draft) === at,
  );
  const kept = input.drafts.flatMap((draft, index): LessonCandidate[] => {
    const correction = byDraft.get(index);
    const conflict = settled.find((one) => one.draft === index);
    const better = correction?.action === 'enrich' ? flatten(correction.text ?? '') : '';
    if (correction?.action === 'remove' && conflict === undefined) {
      counts.removed++;
      return [];
    }
    const isVoid = better !== '' && strangeTerms(better, [...input.record, draft.text]).length > 0;
    if (isVoid) counts.voided++;
    const enriched = better === '' || isVoid || better === draft.text ? draft : { ...draft, text: better };
    if (enriched !== draft) counts.modified++;
    if (conflict === undefined) return [enriched];
    counts.conflictsFound++;
    return settle(enriched, conflict, input, resolved);
  });
  const added = missed.map((one) => missedCandidate(one, input));
  counts.missedAdded = added.filter((one) => ground(one).ok).length;
  return { candidates: [...kept, ...added], counts: { ...counts, resolved } };
}

function settle(
  draft: LessonCandidate,
  { existing, resolution, merged = '' }: LessonConflict,
  { stored, record }: CarryOut,
  resolved: { keep_new: number; keep_existing: number; merge: number },
): LessonCandidate[] {
  const lesson = stored.find(({ id }) => id === existing)!;
  const wording = flatten(merged);
  const isMerge =
    resolution === 'merge' &&
    wording !== '' &&
    strangeTerms(wording, [...record, draft.text, lesson.text]).length === 0;
  const outcome =
    lesson.pinned || lesson.source.pass === 'user'
      ? 'keep_existing'
      : resolution === 'merge' && !isMerge
        ? 'keep_new'
        : resolution;
  resolved[outcome]++;
  if (outcome === 'keep_existing') return [];
  return [{ ...draft, ...(outcome === 'merge' && { text: wording }), supersedes: existing }];
}

/** What the validator found besides; the gate looks for its quote. */
function missedCandidate(
  { text, type, subject, quote, confidence }: MissedLesson,
  input: CarryOut,
): LessonCandidate {
  const origin = input.drafts[0]?.source;
  const source = { loop_id: origin?.loop_id, iteration: origin?.iteration };
  return {
    ...{ text: flatten(text), type, subject, confidence: confidence ?? 0.5, importance: confidence ?? 0.5 },
    source: {
      pass: 'validation',
      ...(source.loop_id !== undefined && { loop_id: source.loop_id }),
      ...(source.iteration !== undefined && { iteration: source.iteration }),
    },
    evidence: [{ quote }],
  };
}
