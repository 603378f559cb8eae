import type { Lesson } from '../../../schema/generated.ts';
import type { AuditRow } from '../../lessons/contract.ts';

/** Attempts without reinforcement from which a lesson may fade. */
export const LEAST_GAP = 5;
const EXPONENT = 0.15;
const FLOOR_STEP = 0.04;
const HIGHEST_FLOOR = 0.6;

export type DecayDecision = 'RETAIN' | 'DECAY' | 'FORGET';

/** A lesson that nothing has reinforced for a while. */
export interface Fading {
  readonly lesson: Lesson;
  /** Attempts since it was last reinforced. */
  readonly gap: number;
}

/** A change of confidence, as the store takes it. */
export interface ConfidenceChange {
  readonly id: string;
  /** 0..1. */
  readonly confidence: number;
  /** Why it is archived; absent where it stays. */
  readonly forget?: string;
}

const REINFORCING: ReadonlySet<AuditRow['action']> = new Set([
  ...(['staged', 'active', 'strengthened', 'superseded_other', 'support', 'confirmed', 'pinned'] as const),
]);

/**
 * Confidence after a gap of so many attempts: `confidence · (1 + gap)^−0.15`, not below `min(0.6, (evidence − 1) ·
 * 0.04)` and never above what it was. Below five attempts it stays.
 */
export function decayed(confidence: number, gap: number, evidence: number): number {
  if (gap < LEAST_GAP) return confidence;
  const floor = Math.min(HIGHEST_FLOOR, Math.max(0, evidence - 1) * FLOOR_STEP);
  return Math.min(confidence, Math.max(floor, confidence * (1 + gap) ** -EXPONENT));
}

/** Pieces of evidence: quotes, and attempts in which the evaluator saw that it helped. */
export function evidenceCount({ evidence, support }: Lesson): number {
  return evidence.length + support;
}

/**
 * Lessons that have not been reinforced in the last five attempts, pinned ones aside. `attemptTimes`: when each
 * attempt was committed, ISO 8601, oldest first.
 */
export function fadingLessons(
  lessons: readonly Lesson[],
  history: readonly AuditRow[],
  attemptTimes: readonly string[],
): Fading[] {
  const reinforced = new Map<string, string>();
  for (const { lessonId, action, at } of history)
    if (lessonId !== null && REINFORCING.has(action)) reinforced.set(lessonId, at);
  return lessons.flatMap((lesson) => {
    const since = reinforced.get(lesson.id) ?? lesson.created_at;
    const gap = attemptTimes.filter((at) => Date.parse(at) > Date.parse(since)).length;
    return lesson.pinned || gap < LEAST_GAP ? [] : [{ lesson, gap }];
  });
}

/** Without a model: everything fades, and what was contradicted more often than supported is forgotten. */
export function decideByRules({ lesson: { support, contradiction } }: Fading): DecayDecision {
  return contradiction >= 2 && contradiction > support ? 'FORGET' : 'DECAY';
}

/** What a decision does to a lesson; pinned ones, and those with one piece of evidence, are never forgotten. */
export function applyDecision(
  { lesson, gap }: Fading,
  decision: DecayDecision,
): ConfidenceChange | undefined {
  if (lesson.pinned || decision === 'RETAIN') return undefined;
  const confidence = decayed(lesson.confidence, gap, evidenceCount(lesson));
  if (decision === 'FORGET' && evidenceCount(lesson) > 1) {
    return {
      id: lesson.id,
      confidence,
      forget: `Not reinforced for ${gap} attempts, and no longer held true.`,
    };
  }
  return confidence === lesson.confidence ? undefined : { id: lesson.id, confidence };
}
