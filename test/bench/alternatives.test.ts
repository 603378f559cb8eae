import { expect, it } from 'vitest';
import { alternativesOf, bestOfCandidates } from '../../src/bench/alternatives.ts';
import { emptyTrajectory } from '../../src/loop/trajectory.ts';

const trajectory = emptyTrajectory('search', '');

it('is what was accepted where a trajectory carries no alternative', async () => {
  const never = async (): Promise<boolean> => Promise.reject(new Error('Nothing is there to be judged.'));
  expect(alternativesOf(trajectory)).toEqual([]);
  expect(await bestOfCandidates([trajectory], true, never)).toBe(true);
  expect(await bestOfCandidates([trajectory], false, never)).toBe(false);
});
