import type { Lesson, LessonConflict, MissedLesson, ValidationAnswer } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../../lessons/contract.ts';
import { groundIn } from '../../lessons/gate/ground.ts';
import { flatten, unknownNames } from '../../text/names.ts';

/** The changes of a validation, counted. */
export interface ValidationCounts {
  /** Enriched drafts. */
  readonly modified: number;
  readonly removed: number;
  /** Missed lessons whose quote is in the record. */
  readonly missedAdded: number;
  /** Enrichments that add a name which is not in the record: the draft stays unchanged. */
  readonly voided: number;
  readonly conflictsFound: number;
  readonly resolved: Readonly<Record<LessonConflict['resolution'], number>>;
}

export interface ValidationInput {
  readonly drafts: readonly LessonCandidate[];
  /** Stored lessons that the validator was shown. */
  readonly stored: readonly Lesson[];
  /** Output of the checks and the actor's tools. */
  readonly record: readonly string[];
  /** The words of the answer as they may be told; undefined where they may not. Without it, they are the rules' own. */
  readonly kept?: (text: string, draft?: LessonCandidate) => string | undefined;
}

export interface AppliedValidation {
  /** Candidates for the gate, in the order of the drafts, followed by missed lessons. */
  readonly candidates: readonly LessonCandidate[];
  readonly counts: ValidationCounts;
}

/**
 * Applies a validator's answer to the drafts. A draft that the answer does not mention is kept. An enrichment that adds
 * a command, path or symbol absent from the record, or is no advice that may be told, is ignored. A conflict makes the draft supersede the stored lesson,
 * or drops the draft; a lesson that the user pinned or stated always wins.
 */
export function applyAnswer(
  { corrected = [], missed = [], conflicts = [] }: ValidationAnswer,
  input: ValidationInput,
): AppliedValidation {
  const counts = { modified: 0, removed: 0, missedAdded: 0, voided: 0, conflictsFound: 0 };
  const resolved = { keep_new: 0, keep_existing: 0, merge: 0 };
  const ground = groundIn({ kind: 'texts', texts: input.record });
  const correctionOf = new Map(corrected.map((correction) => [correction.draft, correction]));
  const conflictOf = firstConflicts(conflicts, input);
  const kept = input.drafts.flatMap((draft, index): LessonCandidate[] => {
    const correction = correctionOf.get(index);
    const conflict = conflictOf.get(index);
    if (correction?.action === 'remove' && conflict === undefined) {
      counts.removed++;
      return [];
    }
    const proposed = correction?.action === 'enrich' ? flatten(correction.text ?? '') : '';
    const wording = proposed === '' ? '' : keptWording(proposed, draft, input);
    const isVoid = wording === undefined || unknownNames(wording, [...input.record, draft.text]).length > 0;
    if (isVoid) counts.voided++;
    const isEnriched = !isVoid && wording !== '' && wording !== draft.text;
    if (isEnriched) counts.modified++;
    const enriched = isEnriched ? { ...draft, text: wording } : draft;
    if (conflict === undefined) return [enriched];
    counts.conflictsFound++;
    return resolve(enriched, conflict, input, resolved);
  });
  const added = missed.flatMap((lesson) => missedCandidate(lesson, input) ?? []);
  counts.missedAdded = added.filter((candidate) => ground(candidate).ok).length;
  return { candidates: [...kept, ...added], counts: { ...counts, resolved } };
}

function keptWording(text: string, draft: LessonCandidate, { kept }: ValidationInput): string | undefined {
  return kept === undefined || text === draft.text ? text : kept(text, draft);
}

/** The first conflict of each draft; conflicts with unknown drafts or lessons are ignored, and still count as first. */
function firstConflicts(
  conflicts: readonly LessonConflict[],
  { drafts, stored }: ValidationInput,
): ReadonlyMap<number, LessonConflict> {
  const first = new Map<number, LessonConflict>();
  for (const conflict of conflicts) if (!first.has(conflict.draft)) first.set(conflict.draft, conflict);
  return new Map(
    [...first].filter(
      ([draft, { existing }]) => drafts[draft] !== undefined && stored.some(({ id }) => id === existing),
    ),
  );
}

function resolve(
  draft: LessonCandidate,
  { existing, resolution, merged = '' }: LessonConflict,
  input: ValidationInput,
  resolved: Record<LessonConflict['resolution'], number>,
): LessonCandidate[] {
  const { stored, record } = input;
  const lesson = stored.find(({ id }) => id === existing)!;
  const proposed = flatten(merged);
  const wording = (proposed === '' ? undefined : keptWording(proposed, draft, input)) ?? '';
  const canMerge = wording !== '' && unknownNames(wording, [...record, draft.text, lesson.text]).length === 0;
  const outcome =
    lesson.pinned || lesson.source.pass === 'user'
      ? 'keep_existing'
      : resolution === 'merge' && !canMerge
        ? 'keep_new'
        : resolution;
  resolved[outcome]++;
  if (outcome === 'keep_existing') return [];
  return [{ ...draft, text: outcome === 'merge' ? wording : draft.text, supersedes: existing }];
}

/** A lesson that the drafts missed, as a candidate; the gate looks up its quote. */
function missedCandidate(
  { text: proposed, type, subject, quote, confidence = 0.5 }: MissedLesson,
  { drafts, kept = (given) => given }: ValidationInput,
): LessonCandidate | undefined {
  const origin = drafts[0]?.source;
  const text = kept(flatten(proposed));
  if (text === undefined) return undefined;
  return {
    text,
    type,
    subject,
    source: { pass: 'validation', loop_id: origin?.loop_id, iteration: origin?.iteration },
    evidence: [{ quote }],
    claim: { kind: 'advice' },
    confidence,
    importance: confidence,
  };
}
