import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLoopRecord } from '../../../src/report/data/loop-record.ts';
import type { Verdict } from '../../../src/schema/generated.ts';
import { acquireLock } from '../../../src/state/lock.ts';
import { repositoryWith } from '../../support/repositories.ts';
import { failingTest, patchOf, storeLoop, type PlannedLoop } from '../../support/stored-loop.ts';

const ID = 'ralph-sample-20260101-aaaaaa';
const PATCH = patchOf('src/cart.ts', [{ line: 20, before: '  return a - b;', after: '  return a + b;' }]);
const PLAN: PlannedLoop = {
  loopId: ID,
  task: 'Make the cart add.',
  config: { agent: 'an-agent', retryFrom: 'best' },
  baseline: {
    checks: [{ name: 'tests', weight: 1, score: 0.25 }],
    failures: ['a', 'b', 'c'].map((name) => failingTest(name)),
  },
  attempts: [
    {
      checks: [{ name: 'tests', weight: 1, score: 0.5 }],
      failures: [failingTest('b'), failingTest('c')],
      patch: PATCH,
      trajectory: { message: 'first', memory: { lessons: ['lesson-1'], insights: 2, playbook: true } },
    },
    {
      checks: [{ name: 'tests', weight: 1, score: 0.25 }],
      failures: ['a', 'b', 'c'].map((name) => failingTest(name)),
      patch: PATCH,
      tampering: [{ kind: 'protected_edited', file: 'test/cart.test.ts', detail: 'It was put back.' }],
    },
    { checks: [{ name: 'tests', weight: 1, score: 1 }], failures: [], patch: PATCH },
  ],
};

describe('readLoopRecord', () => {
  let root: string;
  let verdict: Verdict;
  const fileOf = (...parts: string[]): string => join(root, '.aiwg/ralph/loops', ID, ...parts);

  beforeEach(async () => {
    root = repositoryWith({ 'a.txt': 'a\n' });
    verdict = await storeLoop(root, PLAN);
  });
  afterEach(() => {
    delete process.env.SHOP_API_KEY;
  });

  it('reads the printed verdict and all parts of each attempt', async () => {
    const record = await readLoopRecord(root, ID);
    expect(record.verdict).toEqual(verdict);
    expect(record).toMatchObject({
      ...{ isFinal: true, status: 'passed', task: 'Make the cart add.', model: 'an-agent', maxIterations: 3 },
      delivery: { applied: 'tree' },
      damaged: [],
    });
    expect(record.baseline?.diagnostics).toHaveLength(3);
    expect(
      record.attempts.map(({ iteration, startedFrom, best, window, tampering }) => ({
        iteration,
        startedFrom,
        best,
        window,
        refused: tampering.length,
      })),
    ).toEqual([
      { iteration: 1, startedFrom: 0, best: true, window: [], refused: 0 },
      { iteration: 2, startedFrom: 1, best: false, window: [1], refused: 1 },
      { iteration: 3, startedFrom: 1, best: true, window: [], refused: 0 },
    ]);
    expect(record.attempts[0]!.patch?.text).toBe(PATCH);
    expect(record.attempts[0]!.trajectory?.message).toBe('first');
    expect(record.attempts[0]!.reflection?.self_reflection.confidence).toBe(0.5);
    expect(record.memory.recalled).toEqual([{ id: 'lesson-1', lesson: null, attempts: [1], effects: [] }]);
  });

  it('reads the effects of lessons from the audit log, only for this loop', async () => {
    const line = (action: string, reason: string): string =>
      `${JSON.stringify({ at: '2026-01-01T00:00:00.000Z', action, lessonId: 'lesson-1', text: 't', reason })}\n`;
    const folder = join(root, '.aiwg/ralph/memory');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'audit.jsonl'),
      line('support', `${ID} attempt 1: what it is about is mended.`) +
        line('contradiction', `ralph-other-20260101-bbbbbb attempt 1: the same failed again.`) +
        line('pinned', `${ID} attempt 1: by hand.`),
    );
    const { memory } = await readLoopRecord(root, ID);
    expect(memory.recalled[0]!.effects).toEqual([{ iteration: 1, effect: 'support' }]);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'an evaluation',
      () => writeFileSync(fileOf('attempts/001/evaluation.json'), '{"passed": tr'),
      /001\/eval.* is not JSON/,
    ],
    [
      'a trajectory',
      () => writeFileSync(fileOf('attempts/001/trajectory.jsonl'), '{"actor": 7}\n'),
      /001\/traj.* is not a trajectory/,
    ],
    ['the state', () => writeFileSync(fileOf('state.json'), '{'), /state\.json cannot be used/],
    [
      'the journal',
      () => {
        const path = fileOf('journal.jsonl');
        writeFileSync(path, readFileSync(path, 'utf8').replace('"step":"1:act"', '"step":"1:axt"'));
      },
      /journal\.jsonl is damaged: line \d+/,
    ],
    [
      'a reflection',
      () => writeFileSync(join(root, verdict.reflections[0]!), 'x'),
      /001\.json is no JSON|001\.json cannot/,
    ],
  ])('names %s that is damaged, and reads the rest', async (_, harm, expected) => {
    harm();
    const record = await readLoopRecord(root, ID);
    expect(record.damaged.map(({ path, problem }) => `${path} ${problem}`).join('\n')).toMatch(expected);
    expect(record.attempts).toHaveLength(3);
    expect(record.attempts[2]!.evaluation?.passed).toBe(true);
  });

  it('derives a verdict if none is stored, and does not mark it as final', async () => {
    rmSync(fileOf('state.json'));
    const record = await readLoopRecord(root, ID);
    expect(record).toMatchObject({ isFinal: false, status: 'interrupted' });
    expect(record.verdict).toMatchObject({ verified: false, reward: 1, best_iteration: 3, iterations: 3 });
    expect(record.verdict.reason).toContain('without a verdict');
    expect(record.verdict.checks).toEqual(verdict.checks);
  });

  it('has the status running while the lock is held, whatever the stored verdict', async () => {
    const lock = acquireLock(root, { loopId: ID, command: 'resume' });
    const record = await readLoopRecord(root, ID);
    lock.release();
    expect(record).toMatchObject({
      isFinal: false,
      status: 'running',
      verdict: { verified: false, reward: 1 },
    });
    expect(record.verdict.reason).toContain('still running');
    expect(await readLoopRecord(root, ID)).toMatchObject({ isFinal: true, status: 'passed' });
  });

  it('does not use the verdict from before a resume that failed', async () => {
    const path = fileOf('state.json');
    const state = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    delete state.sum;
    writeFileSync(path, JSON.stringify({ ...state, status: 'error' }));
    expect(await readLoopRecord(root, ID)).toMatchObject({
      isFinal: false,
      status: 'error',
      verdict: { verified: false },
    });
  });

  it('has no attempts and lists the missing files if the folder is gone', async () => {
    rmSync(fileOf(), { recursive: true });
    rmSync(join(root, '.aiwg/ralph/reflections'), { recursive: true });
    const record = await readLoopRecord(root, ID);
    expect(record).toMatchObject({ status: 'interrupted', attempts: [], baseline: null, startedAt: null });
    expect(record.damaged).toEqual([{ path: `.aiwg/ralph/loops/${ID}/state.json`, problem: 'is missing' }]);
  });

  it('redacts secrets in all files', async () => {
    const secret = 'correct-horse-battery-staple-4711';
    const path = fileOf('attempts/001/patch.diff');
    writeFileSync(path, readFileSync(path, 'utf8').replace('return a + b', `return "${secret}"`));
    expect(JSON.stringify(await readLoopRecord(root, ID))).toContain(secret);
    process.env.SHOP_API_KEY = secret;
    expect(JSON.stringify(await readLoopRecord(root, ID))).not.toContain(secret);
  });
});
