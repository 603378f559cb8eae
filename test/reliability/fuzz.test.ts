import { expect, it } from 'vitest';
import { fuzzSuite } from './fuzz.ts';

it(
  'senseless input has no stack trace, hang or change of the tree as its answer',
  { timeout: 300_000 },
  async () => {
    const [row] = await fuzzSuite.run({ full: false, seed: 1, onProgress: () => {} });
    expect(row!.gaps).toEqual([]);
    expect(row!.tried).toBeGreaterThan(10);
  },
);
