import { describe, expect, it } from 'vitest';
import { runLoop } from '../../../src/loop/run.ts';
import { timeForBlocks } from '../../../src/loop/proof/measure.ts';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import type { ProofStrength } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';
import { evaluation, loopOptions, scriptedLoop } from '../../support/scripted.ts';

const STRENGTH: ProofStrength = {
  ...{ tried: 4, caught: 4, survivors: [], unexecuted: [], unneeded: [] },
  ...{ complete: true, duration_ms: 70_000 },
};

const OVER = { blocks: 3, of: 8, reason: 'the time for it was up', flag: '--proof-time' };

async function verdictWith(strength: Partial<ProofStrength>) {
  const loop = scriptedLoop({
    edits: ['t1'],
    judge: (tree) => evaluation(tree === 'base' ? 3 : 4, 4),
  });
  const asked: StrengthRequest[] = [];
  const measure = (request: StrengthRequest): Promise<ProofStrength> => {
    asked.push(request);
    return Promise.resolve({ ...STRENGTH, ...strength });
  };
  Object.assign(loop.ports, { strength: { measure } });
  const options = loopOptions();
  const proof = { ...options.proof, timeMs: 20_000 };
  const verdict = await runLoop(loop.ports, { ...options, proof });
  expect(validate('verdict', verdict)).toMatchObject({ ok: true });
  return { verdict, asked };
}

describe('changed blocks that were not tried', () => {
  it('are in the reason of the verdict, with the flag that gives them more time', async () => {
    const { verdict } = await verdictWith({ unshown: OVER });
    expect(verdict).toMatchObject({ verified: true, proof: { strength: { unshown: { blocks: 3, of: 8 } } } });
    expect(verdict.reason).toContain(
      '3 of 8 changed blocks were not shown to be needed, since the time for it was up (--proof-time 3m gives it more).',
    );
  });

  it('are told without a flag where time was not the reason', async () => {
    const unshown = { blocks: 1, of: 1, reason: 'no test and no command covers it' };
    const { verdict } = await verdictWith({ unshown });
    expect(verdict.reason).toContain(
      '1 of 1 changed block was not shown to be needed, since no test and no command covers it.',
    );
  });

  it('are not told where each was tried', async () => {
    const { verdict } = await verdictWith({});
    expect(verdict).toMatchObject({ verified: true });
    expect(verdict.reason).not.toContain('changed block');
  });

  it('have a time of their own, in proportion to a run of the checks', async () => {
    const { asked } = await verdictWith({});
    expect(asked).toMatchObject([{ timeoutMs: 20_000 }]);
    expect(asked[0]!.blocksMs!(3)).toBe(120_000);
    const slow = (ms: number) => ({
      ...evaluation(4, 4),
      checks: evaluation(4, 4).checks.map((check) => ({ ...check, duration_ms: ms })),
    });
    expect(timeForBlocks(slow(30_000), 10)).toBe(360_000);
    expect(timeForBlocks(slow(30_000), 100)).toBe(600_000);
  });
});
