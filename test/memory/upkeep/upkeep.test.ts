import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { synthesiseInsights } from '../../../src/memory/passes/insights/pass.ts';
import { OBSERVATIONS_FILE } from '../../../src/memory/passes/observe/store.ts';
import { consolidatePlaybook } from '../../../src/memory/passes/playbook/pass.ts';
import { memoryHealth } from '../../../src/memory/upkeep/health.ts';
import { resetMemory } from '../../../src/memory/upkeep/reset.ts';
import { memoryStats } from '../../../src/memory/upkeep/stats.ts';
import { candidate, commitAll, failingAttempts, lessonsIn } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const settings = { recent: 20, capacity: 10, reflectEvery: 15, threshold: 0.5 };

async function filled() {
  const root = temporaryFolder();
  const store = lessonsIn(root);
  await store.admit([candidate('Never edit dist/.', { type: 'constraint' })], { kind: 'stated' });
  await commitAll(root, [...failingAttempts(19), { iteration: 20, after: [], files: ['src/price.js'] }]);
  return { root, store };
}

describe('memoryStats', () => {
  it('returns zeros for an empty memory', async () => {
    const root = temporaryFolder();
    expect(await memoryStats(root, lessonsIn(root))).toMatchObject({
      ...{ lessons: { active: 0, staged: 0 }, types: {}, insights: { active: 0 } },
      ...{ observations: { attempts: 0 }, playbook: { version: 0, versions: 0 } },
    });
  });

  it('counts lessons, observations, insights and the playbook', async () => {
    const { root, store } = await filled();
    await synthesiseInsights({ repositoryRoot: root, settings, manual: true }, store);
    await consolidatePlaybook({ repositoryRoot: root, manual: true }, store);
    const stats = await memoryStats(root, store);
    expect(stats.lessons.active).toBe(1);
    expect(stats.types.constraint).toBe(1);
    expect(stats.observations).toMatchObject({ attempts: 20, passed: 1, kept: 1, archived: 19 });
    expect(stats.playbook).toMatchObject({ version: 1, versions: 1 });
    expect(stats.insights.active).toBeGreaterThan(0);
  });
});

describe('memoryHealth', () => {
  it('returns no findings for an intact memory', async () => {
    const root = temporaryFolder();
    expect(await memoryHealth(root, lessonsIn(root), settings)).toEqual([]);
  });

  it('reports overdue passes until they have run', async () => {
    const { root, store } = await filled();
    const kinds = async () => (await memoryHealth(root, store, settings)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['overdue', 'overdue']);
    await synthesiseInsights({ repositoryRoot: root, settings, manual: true }, store);
    await consolidatePlaybook({ repositoryRoot: root, manual: true }, store);
    expect(await kinds()).toEqual([]);
  });

  it('reports damaged files and lines', async () => {
    const { root, store } = await filled();
    await consolidatePlaybook({ repositoryRoot: root, manual: true }, store);
    const lines = join(root, OBSERVATIONS_FILE);
    writeFileSync(lines, readFileSync(lines, 'utf8').replace('"seq":3', '"seq":4'));
    writeFileSync(join(root, '.aiwg/ralph/memory/playbook.json'), '{"version": 1');
    const damaged = (await memoryHealth(root, store, settings)).filter(({ kind }) => kind === 'damaged');
    expect(damaged.map(({ text }) => text.split(':')[0]!.split(' ')[0])).toEqual([
      '.aiwg/ralph/memory/observations.jsonl',
      '.aiwg/ralph/memory/playbook.json',
    ]);
    expect(damaged[0]!.text).toContain('damaged lines: 1 of 20');
  });
});

describe('resetMemory', () => {
  it('archives everything, deletes nothing, and can run again', async () => {
    const { root, store } = await filled();
    await consolidatePlaybook({ repositoryRoot: root, manual: true }, store);
    const before = readFileSync(join(root, OBSERVATIONS_FILE), 'utf8');
    const first = await resetMemory(root, new Date('2026-01-01T00:00:00.000Z'));
    expect(first.archive).toBe('.aiwg/ralph/memory/history/reset-20260101T000000000Z');
    expect(first.moved).toContain('playbook-0001.json');
    expect(readFileSync(join(root, first.archive!, 'observations.jsonl'), 'utf8')).toBe(before);
    expect(existsSync(join(root, OBSERVATIONS_FILE))).toBe(false);
    expect(await store.list()).toEqual([]);
    expect(await resetMemory(root, new Date())).toEqual({ archive: null, moved: [] });
    await commitAll(root, [{}]);
    const second = await resetMemory(root, new Date('2026-01-02T00:00:00.000Z'));
    expect(second.moved).toEqual(['observations.jsonl']);
    expect(existsSync(join(root, first.archive!, 'lessons.jsonl'))).toBe(true);
  });
});
