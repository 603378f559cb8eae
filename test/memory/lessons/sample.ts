import type { LessonCandidate } from '../../../src/memory/lessons/contract.ts';
import type { Lesson } from '../../../src/schema/generated.ts';
import { lessonId } from '../../../src/memory/lessons/lesson-id.ts';

/** The record that the candidates of these tests quote. */
export const SEEN = 'Error: listen EADDRINUSE: address already in use :::3000';

export function candidate(text: string, over: Partial<LessonCandidate> = {}): LessonCandidate {
  return {
    text,
    type: 'pitfall',
    subject: 'project',
    source: { pass: 'reflection', loop_id: 'ralph-one', iteration: 0 },
    evidence: [{ quote: 'address already in use' }],
    confidence: 0.5,
    importance: 0.5,
    ...over,
  };
}

export function lesson(text: string, over: Partial<Lesson> = {}): Lesson {
  const { type = 'pitfall', subject = 'project' } = over;
  return {
    id: lessonId({ text, type, subject }),
    ...{ text, type, subject, status: 'staged', source: { pass: 'reflection' }, evidence: [] },
    ...{ confidence: 0.5, importance: 0.5, support: 0, contradiction: 0, pinned: false },
    ...{ files: [], fingerprints: [] },
    ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
    ...over,
  };
}

/** Reproducible random numbers, 0..1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)]!;
}
