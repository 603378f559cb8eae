import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluatorsSuite } from './evaluators.ts';
import type { Fault } from './evaluators/fault.ts';
import { faultsOf } from './evaluators/faults.ts';
import { tryFault } from './evaluators/try-fault.ts';

const BYTES = 400_000_000;
const ALL = Object.values(faultsOf(BYTES)).flat();
const NAIVE = [process.execPath, join(import.meta.dirname, 'evaluators/naive.mjs')];

describe('faulty checks', { timeout: 600_000 }, () => {
  it('are judged in time, in bounded memory and correctly', async () => {
    const rows = await evaluatorsSuite.run({ full: false, seed: 1, onProgress: () => undefined });
    for (const { claim, tried, held, gaps } of rows)
      expect([claim, held, gaps]).toEqual([claim, tried, gaps]);
    expect(rows.flatMap(({ gaps }) => gaps)).toEqual([expect.stringMatching(/^not tried: .*fork bomb/)]);
  });

  it('have unique names', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  });
});

/** The program that runs a command with a time limit and keeps all of its output. */
describe('a naive evaluator', { timeout: 200_000 }, () => {
  it('judges a check correctly that does not misbehave', async () => {
    const fault: Fault = {
      name: 'none',
      command: 'echo fine',
      expected: { exitCode: 0, status: 'pass', detail: /Exit code 0/, output: [/^fine$/m] },
    };
    expect((await tryFault(fault, NAIVE)).problems).toEqual([]);
  });

  it.each([
    ['hangs and ignores TERM, INT and HUP', 5, /no evaluation was reported/],
    ['a child keeps the output open, the check passes', 5, /it took|left$|no evaluation/],
    ['a child in its own session keeps the output open', 5, /it took|left$|no evaluation/],
    ['many lines', 30, /ralph used \d+ MB|characters of output/],
    ['does not exist: exit code 127', 5, /fail, not error/],
  ])('fails on the fault "%s"', async (name, withinSeconds, problem) => {
    const fault = ALL.find((it) => it.name === name)!;
    const limited = { ...fault, expected: { ...fault.expected, withinSeconds } };
    expect((await tryFault(limited, NAIVE)).problems.join('\n')).toMatch(problem);
  });
});
