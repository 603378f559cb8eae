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

describe('failures', () => {
  it('are counted over the attempts whose evaluation is left, and categories over the reflections', () => {
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

describe('the effect of lessons', () => {
  it('counts where they were told, in later loops too, and what the evaluator saw', () => {
    const loops = [
      loop([0], { id: 'ralph-1', attempts: [attempt(1, 0.2), attempt(2, 0.3, { told: ['lesson-a'] })] }),
      loop([0], {
        id: 'ralph-2',
        attempts: [
          attempt(1, 0.2, { told: ['lesson-a', 'lesson-b'] }),
          attempt(2, 1, { told: ['lesson-a'] }),
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

  it('is that of its own lessons for one loop: those that it was told of, and those that came from it', () => {
    const loops = [
      loop([0], { id: 'ralph-1', attempts: [attempt(1, 0.2, { told: ['lesson-a'] })] }),
      loop([0], { id: 'ralph-2', attempts: [attempt(1, 0.2, { told: ['lesson-b'] })] }),
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

  it('says that there are none', () => {
    expect(lessonEffects([], [])).toMatchObject({ lessons: 0, reused: { share: null }, most_told: [] });
  });
});
