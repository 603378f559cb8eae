import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../src/memory/analysis/read-history.ts';
import type { LoopState } from '../../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { sampleReflection } from '../sample.ts';

const ID = 'ralph-a';
const LOOP = `.aiwg/ralph/loops/${ID}`;

const state: LoopState = {
  ...{ loop_id: ID, task: 'Fix it.', status: 'passed', actor: 'search' },
  ...{ started_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:01:00Z' },
  ...{ iteration: 2, max_iterations: 5, reward: 1, baseline_reward: 0.25, base_tree: 'a'.repeat(40) },
  options: { config: { memory: false } },
};

function evaluation(reward: number, fixed: string[] = []): object {
  const none = {
    tests_passed: 0,
    tests_failed: 0,
    tests_total: 0,
    type_errors: 0,
    lint_errors: 0,
    lint_warnings: 0,
  };
  return {
    ...{
      passed: reward === 1,
      reward,
      verification_type: 'unit_tests',
      checks: [],
      tests: [],
      missing_tests: [],
    },
    ...{ diagnostics: [], delta: { fixed, same: ['s'], new: [] }, metrics: none, duration_ms: 1 },
  };
}

function trajectory(tried: number, lessons: string[]): object {
  const usage = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost_usd: 0 };
  return {
    ...{
      actor: 'search',
      rationale: '',
      strategy: '',
      outcome: 'edited',
      message: '',
      usage,
      duration_ms: 1,
    },
    ...{ ruled_out: { tried, edits: [] }, memory: { lessons, insights: 0, playbook: false } },
  };
}

const files = {
  [`${LOOP}/baseline.json`]: evaluation(0.3),
  [`${LOOP}/attempts/001/evaluation.json`]: evaluation(0.5, ['a', 'b']),
  [`${LOOP}/attempts/001/trajectory.jsonl`]: `${JSON.stringify(trajectory(40, ['lesson-1']))}\n{}\n`,
  [`${LOOP}/attempts/002/evaluation.json`]: evaluation(1),
  [`${LOOP}/attempts/002/evaluation-confirmed.json`]: evaluation(0.9),
};

describe('readHistory', () => {
  it('reads evaluations, trajectories and reflections, and prefers confirming evaluations', async () => {
    const root = temporaryFolder();
    const reflection = sampleReflection({ loop: ID, category: 'logic_error' });
    writeFiles(root, { ...files, [`.aiwg/ralph/reflections/${ID}/001.json`]: reflection });
    const { loops, leftOut } = await readHistory(root, [state]);
    expect(leftOut).toEqual([]);
    expect(loops).toHaveLength(1);
    expect(loops[0]).toMatchObject({
      id: ID,
      status: 'passed',
      memory: false,
      baseline: 0.3,
      endedAt: loops[0]!.startedAt + 60_000,
    });
    expect(loops[0]!.attempts).toMatchObject([
      {
        iteration: 1,
        reward: 0.5,
        passed: false,
        errors: { fixed: 2, same: 1, new: 0 },
        tried: 40,
        shown: ['lesson-1'],
        category: 'logic_error',
        confidence: reflection.self_reflection.confidence,
      },
      { iteration: 2, reward: 0.9, passed: false, shown: [] },
    ]);
  });

  it('reads reflections only in a fresh clone', async () => {
    const root = temporaryFolder();
    const reflection = sampleReflection({ loop: 'ralph-b' });
    writeFiles(root, { '.aiwg/ralph/reflections/ralph-b/001.json': reflection });
    const { loops } = await readHistory(root, []);
    const { reward_signal: reward } = reflection.evaluator_output;
    expect(loops[0]).toMatchObject({ id: 'ralph-b', status: null, memory: null, endedAt: null });
    expect(loops[0]!.baseline).toBeCloseTo(reward - reflection.performance_delta.reward_change, 10);
    expect(loops[0]!.attempts).toMatchObject([{ iteration: 1, reward, passed: false }]);
  });

  it('lists damaged files and skips them', async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      ...files,
      [`${LOOP}/baseline.json`]: '{"passed":',
      [`${LOOP}/attempts/001/trajectory.jsonl`]: '[]',
      [`${LOOP}/attempts/002/evaluation-confirmed.json`]: '{}',
      [`${LOOP}/attempts/003/evaluation.json`]: '['.repeat(100_000),
      [`${LOOP}/attempts/notes.txt`]: 'mine',
      [`.aiwg/ralph/reflections/${ID}/001.json`]: 'null',
    });
    mkdirSync(join(root, LOOP, 'attempts/004/evaluation.json'), { recursive: true });
    const { loops, leftOut } = await readHistory(root, [state]);
    expect(leftOut.map(({ path }) => path)).toEqual([
      `.aiwg/ralph/reflections/${ID}/001.json`,
      `${LOOP}/baseline.json`,
      `${LOOP}/attempts/001/trajectory.jsonl`,
      `${LOOP}/attempts/002/evaluation-confirmed.json`,
      `${LOOP}/attempts/003/evaluation.json`,
      `${LOOP}/attempts/004/evaluation.json`,
    ]);
    expect(loops[0]!.baseline).toBe(0.25);
    expect(loops[0]!.attempts.map(({ reward }) => reward)).toEqual([0.5, 1]);
  });

  it('does not follow a link out of the repository', async () => {
    const [root, other] = [temporaryFolder(), temporaryFolder()];
    writeFiles(other, { '001/evaluation.json': evaluation(1) });
    mkdirSync(join(root, LOOP), { recursive: true });
    symlinkSync(other, join(root, LOOP, 'attempts'), 'dir');
    const { loops } = await readHistory(root, [state]);
    expect(loops[0]!.attempts).toEqual([]);
  });
});
