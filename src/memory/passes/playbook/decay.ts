import type { Lesson } from '../../../schema/generated.ts';
import type { AuditRow } from '../../lessons/contract.ts';

/** Attempts without reinforcement from which a lesson fades. */
const LEAST_GAP = 5;
const EXPONENT = 0.15;
const FLOOR_STEP = 0.04;
const HIGHEST_FLOOR = 0.6;

export type DecayDecision = 'RETAIN' | 'DECAY' | 'FORGET';

/** A lesson that was not reinforced recently. */
export interface FadingLesson {
  readonly lesson: Lesson;
  /** Attempts since its last reinforcement. */
  readonly gap: number;
}

/** A change that the lesson store's `decay` carries out. */
export interface ConfidenceChange {
  readonly id: string;
  /** 0..1. */
  readonly confidence: number;
  /** Reason to archive the lesson; absent where it stays. */
  readonly forget?: string;
}

const REINFORCING: ReadonlySet<AuditRow['action']> = new Set([
  'staged',
  'active',
  'strengthened',
  'superseded_other',
  'support',
  'confirmed',
  'pinned',
]);

/**
 * Confidence after a gap of that many attempts: `confidence · (1 + gap)^−0.15`, at least `min(0.6, (evidence − 1) ·
 * 0.04)`, never more than before. Unchanged for gaps below five.
 */
export function decayed(confidence: number, gap: number, evidence: number): number {
  if (gap < LEAST_GAP) return confidence;
  const floor = Math.min(HIGHEST_FLOOR, Math.max(0, evidence - 1) * FLOOR_STEP);
  return Math.min(confidence, Math.max(floor, confidence * (1 + gap) ** -EXPONENT));
}

/** Number of quotes plus attempts in which the evaluator supported the lesson. */
function evidenceCount({ evidence, support }: Lesson): number {
  return evidence.length + support;
}

/**
 * Unpinned lessons that were not reinforced in the last five attempts. `attemptTimes`: when each attempt was committed,
 * ISO 8601, oldest first.
 */
export function fadingLessons(
  lessons: readonly Lesson[],
  history: readonly AuditRow[],
  attemptTimes: readonly string[],
): FadingLesson[] {
  const reinforced = new Map<string, string>();
  for (const { lessonId, action, at } of history)
    if (lessonId !== null && REINFORCING.has(action)) reinforced.set(lessonId, at);
  return lessons.flatMap((lesson) => {
    const since = reinforced.get(lesson.id) ?? lesson.created_at;
    const gap = attemptTimes.filter((at) => Date.parse(at) > Date.parse(since)).length;
    return lesson.pinned || gap < LEAST_GAP ? [] : [{ lesson, gap }];
  });
}

/** The decision without a model: FORGET where contradictions (at least two) outnumber supports, else DECAY. */
export function decideByRules({ lesson: { support, contradiction } }: FadingLesson): DecayDecision {
  return contradiction >= 2 && contradiction > support ? 'FORGET' : 'DECAY';
}

/**
 * The change for a decision; undefined for no change. Pinned lessons, and those with a single piece of evidence, are
 * never forgotten.
 */
export function applyDecision(
  { lesson, gap }: FadingLesson,
  decision: DecayDecision,
): ConfidenceChange | undefined {
  if (lesson.pinned || decision === 'RETAIN') return undefined;
  const confidence = decayed(lesson.confidence, gap, evidenceCount(lesson));
  if (decision === 'FORGET' && evidenceCount(lesson) > 1)
    return {
      id: lesson.id,
      confidence,
      forget: `Not reinforced for ${gap} attempts, and judged to be outdated.`,
    };
  return confidence === lesson.confidence ? undefined : { id: lesson.id, confidence };
}
