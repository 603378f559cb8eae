import { beforeAll, describe, expect, it } from 'vitest';
import { durabilitySuite } from './durability.ts';
import { tryRefusals } from './durability/disk.ts';
import { tryStateCrashes } from './durability/state-crash.ts';
import type { Row } from './suite.ts';

const QUIET = { onProgress: () => {} };
const MINUTES = 60_000;

describe('durability, in its reduced counts', () => {
  let rows: readonly Row[];
  beforeAll(async () => {
    rows = await durabilitySuite.run({ full: false, seed: 1, ...QUIET });
  }, 10 * MINUTES);

  it('holds wherever it was tried', () => {
    const failed = rows.filter(({ held, tried }) => held < tried);
    expect(failed.map(({ claim, gaps }) => [claim, gaps])).toEqual([]);
  });

  it('was tried in every way, and has no gap that is not declared', () => {
    expect(rows.length).toBeGreaterThanOrEqual(16);
    expect(rows.filter(({ tried, gaps }) => tried === 0 && gaps.length === 0)).toEqual([]);
    expect(rows.flatMap(({ gaps }) => gaps).filter((gap) => !gap.startsWith('declared: '))).toEqual([]);
  });
});

describe('the control: a state that is written in place', () => {
  it(
    'is found torn after a kill',
    async () => {
      const { tried, held, gaps } = await tryStateCrashes({ full: true, seed: 1, ...QUIET }, 'plain');
      expect(held).toBeLessThan(tried);
      expect(gaps.join('\n')).toMatch(/state \d is lost|state\.json/);
    },
    5 * MINUTES,
  );

  it(
    'is found torn where the disk is full',
    async () => {
      const rows = await tryRefusals({ full: true, seed: 1, ...QUIET }, 'plain');
      const failed = rows.filter(({ held, tried }) => held < tried);
      expect(failed.length).toBe(rows.length);
      expect(failed.flatMap(({ gaps }) => gaps).join('\n')).toMatch(/state\.json/);
    },
    5 * MINUTES,
  );
});
