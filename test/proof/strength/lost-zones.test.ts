import { describe, expect, it } from 'vitest';
import { lostZones } from '../../../src/proof/strength/lost-zones.ts';
import { changedLines } from '../../support/changed-lines.ts';

function zonesOf(before: string, after: string): (string | undefined)[] {
  return lostZones(changedLines({ before, after })).map(({ removed }) => removed);
}

describe('lostZones', () => {
  it.each([
    ['get', 'f(d.getUTCMonth());', 'f(d.getMonth() + 1);', 'getUTCMonth'],
    ['set', 'd.setUTCHours(1);', 'd.setHours(0);', 'setUTCHours'],
  ])('finds a local part of a date in the place of the same in UTC: %s', (_, before, after, utc) => {
    expect(zonesOf(before, after)).toEqual([utc]);
  });

  it.each([
    ['UTC stays', 'f(d.getUTCMonth());', 'f(d.getUTCMonth() + 1);'],
    ['UTC in the place of the local part', 'f(d.getMonth());', 'f(d.getUTCMonth());'],
    ['another part', 'f(d.getUTCMonth());', 'f(d.getHours());'],
    ['both were there', 'f(d.getUTCMonth(), d.getMonth());', 'f(d.getMonth(), 1);'],
    ['a function of its own', 'f(d.getUTCMonth());', 'f(getMonth(d));'],
  ])('leaves out: %s', (_, before, after) => {
    expect(zonesOf(before, after)).toEqual([]);
  });
});
