import { describe, expect, it } from 'vitest';
import {
  breakthroughs,
  learningCurve,
  learningRate,
  summarise,
  timeToSuccess,
} from '../../../src/memory/analysis/progress.ts';
import { attempt, loop } from './loops.ts';

describe('learningRate', () => {
  it.each([
    [[], 0],
    [[0.4], 0],
    [[0.2, 0.8], 0.3],
    [[0.5, 0.6, 0.8], 0.1],
    [[0.9, 0.1], -0.4],
    [[0.5, 0.9, 0.5], 0],
  ])('of the rewards %j is %f', (rewards, rate) => {
    expect(learningRate(rewards)).toBeCloseTo(rate, 10);
  });
});

describe('learningCurve', () => {
  it('averages the best reward so far, and keeps the best reward of ended loops', () => {
    const curve = learningCurve([loop([0.2, 1]), loop([0.4, 0.2, 0.8])]);
    expect(curve.map(({ attempt, loops, running }) => [attempt, loops, running])).toEqual([
      [0, 2, 0],
      [1, 2, 2],
      [2, 2, 1],
    ]);
    const expected = [0.3, 0.7, 0.9];
    for (const [index, { reward }] of curve.entries()) expect(reward).toBeCloseTo(expected[index]!, 10);
    // The second loop's first attempt is worse than its start: what it left is not the best so far.
    expect(curve.map(({ own_reward: own }) => own)).toEqual([expect.closeTo(0.3), expect.closeTo(0.6), 0.8]);
  });

  it('ends at attempt 100 even for higher attempt numbers', () => {
    const attempts = [attempt(1, 0.5), attempt(999_999_999, 1)];
    expect(learningCurve([loop([0], { attempts })])).toHaveLength(101);
  });

  it('handles very many attempts', () => {
    const attempts = Array.from({ length: 200_000 }, (_, index) => attempt(index + 1, 0.5));
    expect(learningCurve([loop([0], { attempts })]).at(-1)).toMatchObject({ attempt: 100, reward: 0.5 });
  });

  it('has no points without loops, and leaves out loops with an unknown baseline', () => {
    expect(learningCurve([])).toEqual([]);
    expect(learningCurve([loop([0.5], { baseline: null, attempts: [attempt(1, 0.7)] })])).toEqual([]);
  });
});

describe('breakthroughs', () => {
  it('returns attempts that gained 0.1 or more, or passed, the largest gain first', () => {
    const found = breakthroughs([loop([0.1, 0.15, 0.5, 0.45, 0.95, 1])]);
    expect(found.map(({ attempt, passed }) => [attempt, passed])).toEqual([
      [4, false],
      [2, false],
      [5, true],
    ]);
    const gains = [0.45, 0.35, 0.05];
    for (const [index, { gain }] of found.entries()) expect(gain).toBeCloseTo(gains[index]!, 10);
  });
});

describe('timeToSuccess', () => {
  it('returns the medians over the loops that passed in an attempt', () => {
    const searched = { attempts: [attempt(1, 0.5, { tried: 30 }), attempt(2, 1, { tried: 12 })] };
    expect(
      timeToSuccess([
        loop([0, 1]),
        loop([0, 0.5, 1], searched),
        loop([0, 0.5]),
        loop([1], { status: 'nothing_to_do' }),
      ]),
    ).toEqual({ loops: 2, median_attempts: 1.5, median_ms: 4000, median_tried: 42 });
    expect(timeToSuccess([])).toEqual({
      ...{ loops: 0, median_attempts: null, median_ms: null, median_tried: null },
    });
  });
});

describe('summarise', () => {
  it('returns null for unknown figures', () => {
    const bare = loop([0], {
      status: null,
      baseline: null,
      endedAt: null,
      memory: null,
      attempts: [attempt(1, 0.5)],
    });
    expect(summarise(bare)).toMatchObject({
      ...{ status: null, memory: null, passed: null, rewards: [0.5], rate: 0, attempts: 1 },
      ...{ attempts_to_success: null, ms_to_success: null, tried: null },
    });
  });
});
