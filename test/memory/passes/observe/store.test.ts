import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitObservation } from '../../../../src/memory/passes/observe/pass.ts';
import {
  archiveObservations,
  MOST_LINES,
  OBSERVATIONS_FILE,
  readObservations,
  recentObservations,
} from '../../../../src/memory/passes/observe/store.ts';
import { sealedLine } from '../../../../src/platform/files/sealed.ts';
import { attempt, commitAll, failingAttempts } from '../../../support/memory.ts';
import { temporaryFolder } from '../../../support/repositories.ts';

const idOf = (n: number): string => `obs-${String(n).padStart(12, '0')}`;

describe('commitObservation', () => {
  it('numbers passed and failed attempts of all loops', async () => {
    const root = temporaryFolder();
    await commitAll(root, [{}, { iteration: 2, after: [] }, { loop: 'ralph-other-20260102-bbbbbb' }]);
    const observations = await readObservations(root);
    expect(observations.map(({ seq, passed }) => [seq, passed])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
  });

  it('stores an attempt once over several commits', async () => {
    const root = temporaryFolder();
    const first = await commitObservation(root, attempt());
    const again = await commitObservation(root, attempt({ after: [] }));
    expect(again).toEqual(first);
    expect(await readObservations(root)).toHaveLength(1);
  });

  it('loses no attempt in concurrent commits', async () => {
    const root = temporaryFolder();
    const all = failingAttempts(8).map((script) => commitObservation(root, attempt(script)));
    await Promise.all(all);
    const observations = await readObservations(root);
    expect(observations.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('excludes archived attempts from recent ones, and keeps them in the file', async () => {
    const root = temporaryFolder();
    const [first, second] = await commitAll(root, failingAttempts(4));
    expect(await archiveObservations(root, new Set([first!.id, second!.id]), 'seen')).toBe(2);
    expect(await archiveObservations(root, new Set([first!.id]), 'again')).toBe(0);
    const observations = await readObservations(root);
    expect(observations).toHaveLength(4);
    expect(observations[0]).toMatchObject({ archived: 'seen' });
    expect(recentObservations(observations, 20).map(({ seq }) => seq)).toEqual([3, 4]);
    expect(recentObservations(observations, 1).map(({ seq }) => seq)).toEqual([4]);
  });

  it('skips damaged lines, and keeps a copy before a rewrite', async () => {
    const root = temporaryFolder();
    const [first] = await commitAll(root, failingAttempts(2));
    const path = join(root, OBSERVATIONS_FILE);
    const harmed = readFileSync(path, 'utf8').replace('"seq":2', '"seq":3');
    writeFileSync(path, harmed);
    expect((await readObservations(root)).map(({ seq }) => seq)).toEqual([1]);
    await archiveObservations(root, new Set([first!.id]), 'seen');
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(harmed);
  });

  it('moves the older half of many lines into history/, and continues the numbering', async () => {
    const root = temporaryFolder();
    const [first] = await commitAll(root, [{}]);
    const many = Array.from({ length: MOST_LINES }, (_, n) => ({ ...first!, id: idOf(n), seq: n + 1 }));
    writeFileSync(join(root, OBSERVATIONS_FILE), many.map((one) => `${sealedLine(one)}\n`).join(''));
    const next = await commitObservation(root, attempt({ iteration: 2 }));
    expect(next.seq).toBe(MOST_LINES + 1);
    const kept = await readObservations(root);
    expect(kept.at(-1)).toEqual(next);
    const [moved] = readdirSync(join(root, '.aiwg/ralph/memory/history'));
    const older = readFileSync(join(root, '.aiwg/ralph/memory/history', moved!), 'utf8')
      .trim()
      .split('\n');
    expect(older.length + kept.length).toBe(MOST_LINES + 1);
    expect(moved).toBe(`observations-1-${older.length}.jsonl`);
  });

  it('redacts secrets', async () => {
    const root = temporaryFolder();
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    await commitObservation(root, attempt({ task: `use ${token}` }));
    expect(readFileSync(join(root, OBSERVATIONS_FILE), 'utf8')).not.toContain(token);
  });
});
