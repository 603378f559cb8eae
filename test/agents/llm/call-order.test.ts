import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCallOrder } from '../../../src/agents/llm/call-order.ts';

/** Runs calls such as `r1` (only reads) and `w2` (writes) and returns the beginnings and ends in their order. */
async function logOf(...calls: readonly string[]): Promise<string> {
  const order = createCallOrder();
  const log: string[] = [];
  const running = calls.map((name, index) =>
    order.run(name.startsWith('r'), async () => {
      log.push(`+${name}`);
      await sleep(5 * (calls.length - index));
      log.push(`-${name}`);
      if (name.endsWith('!')) throw new Error(name);
    }),
  );
  await Promise.allSettled(running);
  return log.join(' ');
}

describe('the order of tool calls', () => {
  it('runs calls that only read side by side', async () => {
    expect(await logOf('r1', 'r2', 'r3')).toBe('+r1 +r2 +r3 -r3 -r2 -r1');
  });

  it('runs calls that write one after the other', async () => {
    expect(await logOf('w1', 'w2', 'w3')).toBe('+w1 -w1 +w2 -w2 +w3 -w3');
  });

  it('lets a write wait for the reads before it, and the reads after it wait for it', async () => {
    expect(await logOf('r1', 'r2', 'w3', 'r4', 'r5')).toBe('+r1 +r2 -r2 -r1 +w3 -w3 +r4 +r5 -r5 -r4');
  });

  it('goes on after a call that fails', async () => {
    expect(await logOf('r1!', 'w2!', 'r3')).toBe('+r1! -r1! +w2! -w2! +r3 -r3');
  });
});
