import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LoopState } from '../../src/schema/generated.ts';
import { readResumableState, readState, resolveLoopId } from '../../src/state/loops.ts';
import { createRunStore } from '../../src/state/run-store.ts';
import { salvageLoop } from '../../src/state/salvage.ts';
import { START_STEP } from '../../src/state/started-state.ts';
import { temporaryFolder } from '../support/repositories.ts';

const LOOP = 'ralph-salvage';
const STATE: LoopState = {
  loop_id: LOOP,
  task: 'Fix it',
  status: 'running',
  actor: 'search',
  started_at: '2026-01-25T10:00:00.000Z',
  updated_at: '2026-01-25T10:00:01.000Z',
  iteration: 0,
  max_iterations: 5,
  reward: 0.5,
  baseline_reward: 0.5,
  base_tree: 'a'.repeat(40),
  options: { config: { command: 'true' } },
};

let root: string;
beforeEach(async () => {
  root = temporaryFolder();
  const store = createRunStore({ repositoryRoot: root, loopId: LOOP });
  await store.step(START_STEP, () => Promise.resolve(STATE));
  await store.step('baseline', () => Promise.resolve({ reward: 0 }), { artifact: 'baseline.json' });
  await store.step('1:act', () => Promise.resolve({ tree: 'b' }));
  await store.step('1:evaluate', () => Promise.resolve({ reward: 1 }), { artifact: 'attempts/001/e.json' });
  await store.saveState({ ...STATE, iteration: 1 });
});

const inLoop = (path: string): string => join(root, '.aiwg/ralph/loops', LOOP, path);

function harm(path: string, change: (text: string) => string): string {
  const harmed = change(readFileSync(inLoop(path), 'utf8'));
  writeFileSync(inLoop(path), harmed);
  return harmed;
}

async function stepsThatRunAgain(): Promise<string[]> {
  const again: string[] = [];
  const store = createRunStore({ repositoryRoot: root, loopId: LOOP });
  for (const step of [START_STEP, 'baseline', '1:act', '1:evaluate']) {
    await store.step(step, () => Promise.resolve(again.push(step)));
  }
  return again;
}

describe('salvageLoop', () => {
  it('finds and changes nothing in an intact loop', async () => {
    const before = readdirSync(inLoop('.')).sort();
    expect(await salvageLoop(root, LOOP)).toEqual([]);
    expect(readdirSync(inLoop('.')).sort()).toEqual(before);
    expect(await stepsThatRunAgain()).toEqual([]);
  });

  it('cuts a journal before its damage and keeps a copy of the damaged one', async () => {
    const harmed = harm('journal.jsonl', (text) => text.replace('"tree":"b"', '"tree":"c"'));
    const [found, ...others] = await salvageLoop(root, LOOP);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      path: `.aiwg/ralph/loops/${LOOP}/journal.jsonl`,
      problem: expect.stringMatching(/^line 3: .*checksum/) as string,
      aside: `.aiwg/ralph/loops/${LOOP}/journal.jsonl.damaged`,
    });
    expect(readFileSync(join(root, found!.aside), 'utf8')).toBe(harmed);
    expect(await stepsThatRunAgain()).toEqual(['1:act', '1:evaluate']);
  });

  it.each([
    ['is another', () => harm('baseline.json', (text) => text.replace('0', '1'))],
    ['is gone', () => rmSync(inLoop('baseline.json'))],
    ['is empty', () => harm('baseline.json', () => '')],
  ])('cuts the journal before a step whose result %s', async (_, spoil) => {
    spoil();
    const [found] = await salvageLoop(root, LOOP);
    expect(found).toMatchObject({
      problem: expect.stringContaining('baseline.json') as string,
      lostSteps: ['baseline', '1:act', '1:evaluate'],
    });
    expect(await stepsThatRunAgain()).toEqual(['baseline', '1:act', '1:evaluate']);
  });

  it('moves a damaged state away, which the journal restores', async () => {
    const harmed = harm('state.json', (text) => text.replace('"command": "true"', '"command": "rm -r"'));
    await expect(readState(root, LOOP)).rejects.toMatchObject({ code: 'state_damaged', exitCode: 7 });
    expect(await readResumableState(root, LOOP)).toEqual({ ...STATE, iteration: 1 });
    expect(await resolveLoopId(root)).toBe(LOOP);
    const [found] = await salvageLoop(root, LOOP);
    expect(readFileSync(join(root, found!.aside), 'utf8')).toBe(harmed);
    expect(found).toMatchObject({ lostSteps: [], problem: expect.stringContaining('state.json') as string });
  });

  it('restores the state of a loop that was killed before it saved one', async () => {
    rmSync(inLoop('state.json'));
    expect(await salvageLoop(root, LOOP)).toEqual([]);
    expect(await readResumableState(root, LOOP)).toMatchObject({ task: 'Fix it' });
  });

  it('reports the damage if both state and journal are damaged', async () => {
    harm('state.json', () => '{');
    harm('journal.jsonl', () => 'nonsense\n');
    await expect(readResumableState(root, LOOP)).rejects.toMatchObject({ code: 'state_damaged' });
  });
});
