import { expect, it } from 'vitest';
import { withFixedChance } from '../../../../src/repair/trial/runtime/fixed-chance.ts';
import type { Course, TrialRealm } from '../../../../src/repair/trial/runtime/test-run.ts';

function drawn(course: Course, realm: { Math: { random: () => number } }): unknown {
  for (const step of course.before) step();
  const value = course.main();
  for (const step of course.after) step();
  expect(realm.Math.random).toBe(Math.random);
  return value;
}

function realmOf(): TrialRealm & { Math: { random: () => number } } {
  return { Math: { random: Math.random } };
}

it('draws the same numbers in each run, and puts what draws them back', () => {
  const realm = realmOf();
  const course = withFixedChance(
    { before: [], main: () => [realm.Math.random(), realm.Math.random()], after: [] },
    realm,
  );
  const first = drawn(course, realm) as number[];
  expect(drawn(course, realm)).toEqual(first);
  expect(new Set(first).size).toBe(2);
});

it('leaves alone what the tested code puts in the place of what draws them', () => {
  const realm = realmOf();
  const own = (): number => 0.5;
  const main = (): number => {
    realm.Math.random = own;
    return realm.Math.random();
  };
  const course = withFixedChance({ before: [], main, after: [] }, realm);
  for (const step of course.before) step();
  expect(course.main()).toBe(0.5);
  for (const step of course.after) step();
  expect(realm.Math.random).toBe(own);
});

it('has nothing to do in a realm without random numbers', () => {
  const main = (): number => 1;
  expect(withFixedChance({ before: [], main, after: [] }, {})).toEqual({ before: [], main, after: [] });
});
