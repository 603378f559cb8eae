import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluatorsSuite } from './evaluators.ts';
import type { Fault } from './evaluators/fault.ts';
import { faultsOf } from './evaluators/faults.ts';
import { tryFault } from './evaluators/try-fault.ts';

const BYTES = 400_000_000;
const ALL = Object.values(faultsOf(BYTES)).flat();
const NAIVE = [process.execPath, join(import.meta.dirname, 'evaluators/naive.mjs')];

describe('faults of checks', { timeout: 600_000 }, () => {
  it('are judged in time and in bounded memory, as what they are', async () => {
    const rows = await evaluatorsSuite.run({ full: false, onProgress: () => undefined });
    for (const { what, tried, held, gaps } of rows) expect([what, held, gaps]).toEqual([what, tried, gaps]);
    expect(rows.flatMap(({ gaps }) => gaps)).toEqual([expect.stringMatching(/^not tried: a fork bomb/)]);
  });

  it('have names of their own', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  });
});

/** The program that runs a command with a time-out and keeps all it prints. */
describe('a naive evaluator', { timeout: 200_000 }, () => {
  it('is enough where nothing misbehaves', async () => {
    const fault: Fault = {
      ...{ name: 'none', command: 'echo fine' },
      expected: { exitCode: 0, status: 'pass', detail: /Exit code 0/, output: [/^fine$/m] },
    };
    expect((await tryFault(fault, NAIVE)).problems).toEqual([]);
  });

  it.each([
    ['hangs and ignores TERM, INT and HUP', /no evaluation was told/],
    ['a child holds its output, the check is green', /it took|processes are left|no evaluation/],
    ['a child in a session of its own holds its output', /it took|processes are left|no evaluation/],
    ['many lines', /ralph took \d+ MB|characters of output/],
    ['is not there: exit code 127', /fail, not error/],
  ])('does not hold where a check %s', async (name, says) => {
    const fault = ALL.find((it) => it.name === name)!;
    const hasty = {
      ...fault,
      expected: { ...fault.expected, withinSeconds: fault.expected.withinSeconds ?? 20 },
    };
    expect((await tryFault(hasty, NAIVE)).problems.join('\n')).toMatch(says);
  });
});
