import { describe, expect, it } from 'vitest';
import { drawTrial, seededNumbers } from '../../../src/memory/experiment/draw.ts';

const ONE_IN = 8;

function draws(lessons: readonly string[], count = 4000) {
  return Array.from({ length: count }, (_, index) =>
    drawTrial({ oneIn: ONE_IN, lessons, earlier: ONE_IN + index, random: seededNumbers(`seed ${index}`) }),
  );
}

/** Four standard errors of a share of 1 ÷ 8 in `n`. */
function near(n: number): { readonly low: number; readonly high: number } {
  const half = 4 * Math.sqrt((1 / ONE_IN) * (1 - 1 / ONE_IN) * (1 / n));
  return { low: 1 / ONE_IN - half, high: 1 / ONE_IN + half };
}

describe('drawTrial', () => {
  it('withholds nothing from the first loops', () => {
    for (let earlier = 0; earlier < ONE_IN; earlier++) {
      const drawn = drawTrial({ oneIn: ONE_IN, lessons: ['a'], earlier, random: () => 0 });
      expect(drawn).toEqual({ arm: 'waiting', lessons: [], withheld: null });
    }
  });

  it('leaves one loop in n without memory', () => {
    const all = draws(['a', 'b']);
    const share = all.filter(({ arm }) => arm === 'untold').length / all.length;
    expect(share).toBeGreaterThan(near(all.length).low);
    expect(share).toBeLessThan(near(all.length).high);
  });

  it.each([1, 3, 8, 11])('withholds each of %i lessons from one in n of the loops that drew it', (count) => {
    const lessons = Array.from({ length: count }, (_, index) => `lesson ${index}`);
    const told = draws(lessons).filter(({ arm }) => arm === 'told');
    for (const lesson of lessons) {
      const drawn = told.filter((trial) => trial.lessons.includes(lesson));
      const share = drawn.filter(({ withheld }) => withheld === lesson).length / drawn.length;
      expect(share).toBeGreaterThan(near(drawn.length).low);
      expect(share).toBeLessThan(near(drawn.length).high);
    }
    expect(Math.max(...told.map((trial) => trial.lessons.length))).toBe(Math.min(count, ONE_IN));
  });
});

describe('seededNumbers', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    const ten = (seed: string): number[] => {
      const random = seededNumbers(seed);
      return Array.from({ length: 10 }, random);
    };
    expect(ten('a')).toEqual(ten('a'));
    expect(ten('a')).not.toEqual(ten('b'));
    expect(ten('a').every((value) => value >= 0 && value < 1)).toBe(true);
    expect(new Set(ten('a')).size).toBe(10);
  });
});
