import { expect, it } from 'vitest';
import { partOf } from '../../../bench/datasets/humanevalfix/part.ts';
import { precisionCurve, renderCurve, renderPrecision } from '../../../bench/datasets/precision.ts';

const RESULTS = [
  { isClaimed: true, isRight: true, confidence: 0.95 },
  { isClaimed: true, isRight: false, confidence: 0.45 },
  { isClaimed: false, isRight: false, confidence: 0.3 },
  { isClaimed: true, isRight: true, confidence: null },
];

it('precisionCurve counts the claims at and above each threshold', () => {
  const points = new Map(precisionCurve(RESULTS).map((point) => [point.min_confidence, point]));
  expect(points.get(0)).toMatchObject({ claimed: 3, right: 2 });
  expect(points.get(0.4)).toMatchObject({ claimed: 3, right: 2 });
  expect(points.get(0.5)).toMatchObject({ claimed: 2, right: 2 });
});

it('renderCurve shows precision of the claims and recall of all problems', () => {
  const lines = renderCurve(precisionCurve(RESULTS), 4).map((line) =>
    line.split(/ {2,}/).map((cell) => cell.trim()),
  );
  expect(lines[1]).toEqual(['0.00', '3', '2', '66.7%', '50.0%']);
  expect(renderPrecision(0, 0)).toBe('right of claimed: 0 of 0 (-)');
});

it('partOf splits ids in two parts of similar size, always in the same way', () => {
  const ids = Array.from({ length: 400 }, (_, index) => `Problem/${index}`);
  const tuning = ids.filter((id) => partOf(id) === 'tuning');
  expect(tuning.length).toBeGreaterThan(150);
  expect(tuning.length).toBeLessThan(250);
  expect(ids.filter((id) => partOf(id) === 'tuning')).toEqual(tuning);
});
