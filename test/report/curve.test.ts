import { describe, expect, it } from 'vitest';
import { newest, renderCurve } from '../../src/report/curve.ts';

describe('renderCurve', () => {
  it.each([
    [[0.339, 0.893, 0.946, 0.964, 1], '▁▆▇▇█'],
    [[0.5, 0.5, 0.5], '▁▁▁'],
    [[0.8, 0.2, 0.6], '▆▁▄'],
    [[1, 1], '██'],
    [[0, 1], '▁█'],
    [[], ''],
  ])('%j is %j: the lowest on the floor, 1 at the top', (rewards, curve) => {
    expect(renderCurve(rewards, { columns: 20, rows: 1 })).toEqual([curve]);
  });

  it('draws the requested number of rows', () => {
    expect(renderCurve([0, 0.5, 1], { columns: 20, rows: 3 })).toEqual(['  █', ' ▄█', '▁██']);
  });

  it('shows the first and the newest rewards if there are too many', () => {
    expect(newest([1, 2, 3, 4, 5], 3)).toEqual([1, 4, 5]);
    expect(renderCurve([0, 0.9, 0.9, 0.9, 1], { columns: 2, rows: 1 })).toEqual(['▁█']);
  });
});
