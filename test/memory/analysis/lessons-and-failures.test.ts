import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/memory/analysis/analyze.ts';
import { categoryCounts, errorCounts } from '../../../src/memory/analysis/failures.ts';
import { lessonEffects } from '../../../src/memory/analysis/lesson-effects.ts';
import type { Lesson } from '../../../src/schema/generated.ts';
import { attempt, loop } from './loops.ts';

const at = '2026-01-01T00:00:00Z';

function lesson(id: string, more: Partial<Lesson> = {}): Lesson {
  return {
    ...{ id, text: `Text of ${id}`, type: 'pitfall', subject: 'project', status: 'active' },
    ...{ source: { pass: 'reflection', loop_id: 'ralph-1' }, evidence: [], confidence: 0.5, importance: 0.5 },
    ...{
      support: 0,
      contradiction: 0,
      pinned: false,
      files: [],
      fingerprints: [],
      created_at: at,
      updated_at: at,
    },
    ...more,
  };
}

describe('errorCounts and categoryCounts', () => {
  it('count errors over stored evaluations and categories over reflections', () => {
    const loops = [
      loop([0], {
        attempts: [
          attempt(1, 0.2, { errors: { fixed: 1, same: 2, new: 3 }, category: 'logic_error' }),
          attempt(2, 0.3, { category: 'edge_case_miss' }),
        ],
      }),
      loop([0], {
        attempts: [attempt(1, 0.2, { errors: { fixed: 4, same: 0, new: 0 }, category: 'logic_error' })],
      }),
    ];
    expect(errorCounts(loops)).toEqual({ attempts: 2, fixed: 5, same: 2, new: 3 });
    expect(categoryCounts(loops)).toEqual([
      { category: 'logic_error', count: 2, share: 2 / 3 },
      { category: 'edge_case_miss', count: 1, share: 1 / 3 },
    ]);
    expect(categoryCounts([])).toEqual([]);
  });
});

describe('lessonEffects', () => {
  it('counts how often lessons were shown, in how many other loops, and their effects', () => {
    const loops = [
      loop([0], { id: 'ralph-1', attempts: [attempt(1, 0.2), attempt(2, 0.3, { shown: ['lesson-a'] })] }),
      loop([0], {
        id: 'ralph-2',
        attempts: [
          attempt(1, 0.2, { shown: ['lesson-a', 'lesson-b'] }),
          attempt(2, 1, { shown: ['lesson-a'] }),
        ],
      }),
    ];
    const effects = lessonEffects(
      [
        lesson('lesson-a', { support: 6, contradiction: 1 }),
        lesson('lesson-b', { source: { pass: 'user' }, contradiction: 3 }),
        lesson('lesson-c'),
        lesson('lesson-d', { status: 'archived' }),
      ],
      loops,
    );
    expect(effects).toMatchObject({ lessons: 4, attempts_told: 3 });
    expect(effects.reused).toMatchObject({ part: 2, n: 4, share: 0.5, too_few: true });
    expect(effects.helped).toMatchObject({ part: 6, n: 10, share: 0.6, too_few: false });
    expect(effects.most_told.map(({ id, told, loops: later }) => [id, told, later])).toEqual([
      ['lesson-a', 3, 1],
      ['lesson-b', 1, 1],
    ]);
  });

  it('is restricted to lessons that one loop was shown or produced', () => {
    const loops = [
      loop([0], { id: 'ralph-1', attempts: [attempt(1, 0.2, { shown: ['lesson-a'] })] }),
      loop([0], { id: 'ralph-2', attempts: [attempt(1, 0.2, { shown: ['lesson-b'] })] }),
    ];
    const lessons = [
      lesson('lesson-a', { support: 2 }),
      lesson('lesson-b', { source: { pass: 'user' }, contradiction: 9 }),
      lesson('lesson-c', { source: { pass: 'reflection', loop_id: 'ralph-1' }, support: 1 }),
    ];
    const history = { loops, leftOut: [] };
    expect(analyze({ history, lessons, loopId: 'ralph-1' }).lessons).toMatchObject({
      lessons: 2,
      helped: { part: 3, n: 3 },
    });
    expect(analyze({ history, lessons }).lessons).toMatchObject({ lessons: 3, helped: { part: 3, n: 12 } });
  });

  it('returns zeros without lessons', () => {
    expect(lessonEffects([], [])).toMatchObject({ lessons: 0, reused: { share: null }, most_told: [] });
  });
});
