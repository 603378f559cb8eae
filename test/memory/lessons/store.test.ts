import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import type { Grounds, LessonStore } from '../../../src/memory/lessons/contract.ts';
import { createLessonStore } from '../../../src/memory/lessons/store.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { candidate, SEEN } from './sample.ts';

const GROUNDS: Grounds = { kind: 'texts', texts: [SEEN] };
const FILE = '.aiwg/ralph/memory/lessons.jsonl';

function open(root = temporaryFolder()): { root: string; path: string; store: LessonStore; told: string[] } {
  const told: string[] = [];
  const store = createLessonStore({ repositoryRoot: root, onDamaged: (text) => told.push(text) });
  return { root, path: join(root, FILE), store, told };
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

async function admitTexts(store: LessonStore, ...texts: string[]): Promise<string[]> {
  const admissions = await store.admit(
    texts.map((text) => candidate(text)),
    GROUNDS,
  );
  return admissions.map(({ lesson }) => lesson!.id);
}

describe('createLessonStore', () => {
  it('lists no lessons at first, and creates no file', async () => {
    const { root, store } = open();
    expect(await store.list()).toEqual([]);
    expect(await store.history()).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
    await store.admit([], GROUNDS);
    await store.count([]);
    expect(readdirSync(root)).toEqual([]);
  });

  it('lists standing lessons, the newest first, in every store of the repository', async () => {
    const { root, store } = open();
    await admitTexts(store, 'Ports stay taken', 'The cache is cold');
    const [gone] = await admitTexts(store, 'Lint before push');
    await store.archive(gone!, 'No longer.');
    const again = open(root).store;
    expect((await again.list()).map(({ text }) => text)).toEqual(['The cache is cold', 'Ports stay taken']);
    expect(await again.list(['archived'])).toMatchObject([
      { text: 'Lint before push', status_reason: 'No longer.' },
    ]);
  });

  it('moves the older half of a long audit into history/, and loses no row', async () => {
    const { root, store } = open();
    const memory = join(root, '.aiwg/ralph/memory');
    const texts = Array.from({ length: 100 }, (_, index) => `Port ${index} stays taken`);
    for (let round = 0; round < 21; round++) {
      await store.admit(
        texts.map((text) => candidate(text)),
        GROUNDS,
      );
    }
    const [moved, ...more] = readdirSync(join(memory, 'history'));
    expect([moved, more]).toEqual([expect.stringMatching(/^audit-\d{8}T\d+Z\.jsonl$/), []]);
    const [left, older] = [linesOf(join(memory, 'audit.jsonl')), linesOf(join(memory, 'history', moved!))];
    expect(left.length).toBeLessThanOrEqual(2000);
    expect(left.length + older.length).toBe(2100);
    expect(new Set([...left, ...older]).size).toBeGreaterThan(1);
    expect(await store.history()).toHaveLength(left.length);
  });

  it('appends lines, of which the last one of an id counts', async () => {
    const { path, store } = open();
    const [id] = await admitTexts(store, 'Ports stay taken');
    await store.pin(id!, true);
    await store.pin(id!, false);
    await store.pin(id!, false);
    expect(linesOf(path)).toHaveLength(3);
    expect(await store.list()).toMatchObject([{ pinned: false }]);
    expect((await store.history(id)).map(({ action }) => action)).toEqual(['staged', 'pinned', 'unpinned']);
  });

  it('rewrites a mostly outdated file, and keeps every id', async () => {
    const { path, store } = open();
    const [id] = await admitTexts(store, 'Ports stay taken', 'The cache is cold');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.repeat(101));
    await store.pin(id!, true);
    await store.pin(id!, false);
    expect(linesOf(path)).toHaveLength(204);
    await store.pin(id!, true);
    expect(linesOf(path)).toHaveLength(2);
    expect(await store.list()).toHaveLength(2);
    expect(existsSync(`${path}.damaged`)).toBe(false);
  });

  it('skips damaged lines, reports them once, and keeps a copy before a rewrite', async () => {
    const { root, path, store } = open();
    await admitTexts(store, 'Ports stay taken', 'The cache is cold');
    const harmed = readFileSync(path, 'utf8').replace('Ports stay', 'Ports are') + '{"id": 7}\nnot json\n';
    writeFileSync(path, harmed);
    const { store: reader, told } = open(root);
    expect((await reader.list()).map(({ text }) => text)).toEqual(['The cache is cold']);
    await reader.list();
    expect(told).toHaveLength(1);
    await admitTexts(reader, 'Lint before push');
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(harmed);
    expect((await open(root).store.list()).map(({ text }) => text)).toEqual([
      'Lint before push',
      'The cache is cold',
    ]);
    expect(linesOf(path)).toHaveLength(2);
  });

  it('keeps a complete line without a line break, and skips a torn one', async () => {
    const { root, path, store, told } = open();
    await admitTexts(store, 'Ports stay taken', 'The cache is cold');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.trimEnd());
    await admitTexts(store, 'Lint before push');
    expect(await store.list()).toHaveLength(3);
    writeFileSync(path, whole.slice(0, -40));
    await admitTexts(store, 'Lint before push');
    expect((await open(root).store.list()).map(({ text }) => text)).toEqual([
      'Lint before push',
      'Ports stay taken',
    ]);
    expect(told).toEqual([]);
  });

  it('accepts a line without a checksum, written by hand', async () => {
    const { root, path, store } = open();
    await admitTexts(store, 'Ports stay taken');
    writeFileSync(
      path,
      readFileSync(path, 'utf8')
        .replace(/,"sum":"[0-9a-f]+"/, '')
        .replace('"staged"', '"active"'),
    );
    expect(await open(root).store.list()).toMatchObject([{ status: 'active' }]);
  });

  it('redacts secrets', async () => {
    const { root, store } = open();
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const evidence = [{ quote: `denied for ${secret}` }];
    await store.admit([candidate('Calls need a token', { evidence }), candidate(`The key is ${secret}`)], {
      kind: 'texts',
      texts: [`denied for ${secret}`, SEEN],
    });
    expect(await store.list()).toHaveLength(1);
    for (const name of ['lessons.jsonl', 'audit.jsonl'])
      expect(readFileSync(join(root, '.aiwg/ralph/memory', name), 'utf8')).not.toContain('ghp_');
  });

  it('does not write through a link that leads out of the repository', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
    symlinkSync(outside, join(root, '.aiwg/ralph/memory'));
    await expect(admitTexts(open(root).store, 'Ports stay taken')).rejects.toMatchObject({ exitCode: 4 });
    expect(readdirSync(outside)).toEqual([]);
  });

  it.each(['pin', 'archive'] as const)('suggests a similar id when it cannot %s a lesson', async (act) => {
    const { store } = open();
    const [id] = await admitTexts(store, 'Ports stay taken');
    const wrong = `${id!.slice(0, -1)}${id!.endsWith('0') ? '1' : '0'}`;
    const tried = act === 'pin' ? store.pin(wrong, true) : store.archive(wrong, 'No.');
    await expect(tried).rejects.toMatchObject({ code: 'usage', hint: `Did you mean ${id!}?` });
  });

  it('decays neither pinned nor archived lessons, and archives forgotten ones', async () => {
    const { store } = open();
    const [pinned, weak, lost, gone] = await admitTexts(
      store,
      'One is pinned',
      'Two is weak',
      'Three is lost',
      'Four is gone',
    );
    await store.pin(pinned!, true);
    await store.archive(gone!, 'No longer.');
    await store.decay([
      { id: pinned!, confidence: 0, forget: 'Old.' },
      { id: weak!, confidence: 0.25 },
      { id: lost!, confidence: 0, forget: 'Nobody needed it.' },
      { id: gone!, confidence: 0 },
      { id: 'lesson-000000000000', confidence: 0 },
    ]);
    const all = await store.list(['staged', 'active', 'archived']);
    const byId = new Map(all.map((lesson) => [lesson.id, lesson]));
    expect(byId.get(pinned!)).toMatchObject({ status: 'staged', confidence: 0.5 });
    expect(byId.get(weak!)).toMatchObject({ status: 'staged', confidence: 0.25 });
    expect(byId.get(lost!)).toMatchObject({ status: 'archived', status_reason: 'Nobody needed it.' });
    expect(byId.get(gone!)).toMatchObject({ status: 'archived', confidence: 0.5 });
  });
});

describe('count', () => {
  const outcome = (lessonId: string, iteration: number, effect: 'support' | 'contradiction') => ({
    ...{ lessonId, effect, iteration },
    loopId: 'ralph-two',
  });

  it('confirms a lesson at its first support, and counts an attempt once', async () => {
    const { store } = open();
    const [id] = await admitTexts(store, 'Ports stay taken');
    const seen = outcome(id!, 0, 'support');
    await store.count([seen, seen]);
    await store.count([seen, { ...seen, effect: 'contradiction' }]);
    expect(await store.list()).toMatchObject([{ status: 'active', support: 1, contradiction: 0 }]);
    await store.count([outcome(id!, 1, 'support')]);
    expect(await store.list()).toMatchObject([{ support: 2 }]);
    expect((await store.history(id)).map(({ action }) => action)).toEqual([
      'staged',
      'support',
      'confirmed',
      'support',
    ]);
  });

  it.each([
    [2, false, 'staged'],
    [3, false, 'archived'],
    [3, true, 'staged'],
  ])('after %i contradictions a lesson (pinned: %s) is %s', async (times, pinned, status) => {
    const { store } = open();
    const [id] = await admitTexts(store, 'Ports stay taken');
    if (pinned) await store.pin(id!, true);
    for (let attempt = 0; attempt < times; attempt++)
      await store.count([outcome(id!, attempt, 'contradiction')]);
    expect(await store.list(['staged', 'active', 'archived'])).toMatchObject([
      { status, contradiction: times },
    ]);
  });

  it('ignores an unknown lesson', async () => {
    const { store } = open();
    await store.count([outcome('lesson-000000000000', 0, 'support')]);
    expect(await store.list(['staged', 'active', 'archived', 'superseded'])).toEqual([]);
  });
});

describe('concurrent writers', () => {
  it('lose no change in one process', async () => {
    const { root } = open();
    const stores = [1, 2, 3].map(() => open(root).store);
    await Promise.all(
      stores.flatMap((store, at) => [0, 1, 2].map((n) => admitTexts(store, `Thing ${at}${n} is known`))),
    );
    expect(await open(root).store.list()).toHaveLength(9);
  });

  it('lose no new lesson and no count in several processes', async () => {
    const { root, path, store } = open();
    const [shared] = await admitTexts(store, 'The cache is cold');
    const script = `
      import { createLessonStore } from ${JSON.stringify(join(import.meta.dirname, '../../../src/memory/lessons/store.ts'))};
      const [root, name, lessonId] = process.argv.slice(-3);
      const store = createLessonStore({ repositoryRoot: root });
      for (let n = 0; n < 8; n++) {
        await store.admit([{ text: 'In src/' + name + n + '.ts ports stay taken', type: 'pitfall', subject: 'project', source: { pass: 'user' }, evidence: [], confidence: 0.5, importance: 0.5 }], { kind: 'stated' });
        await store.count([{ lessonId, effect: 'support', loopId: 'ralph-' + name, iteration: n }]);
      }
    `;
    const run = async (name: string): Promise<number | undefined> => {
      const args = ['--input-type=module', '-e', script, root, name, shared!];
      return (await execa(process.execPath, args, { stdio: 'inherit', reject: false })).exitCode;
    };
    expect(await Promise.all(['a', 'b', 'c'].map(run))).toEqual([0, 0, 0]);
    const all = await open(root).store.list();
    expect(all).toHaveLength(25);
    expect(all.find(({ id }) => id === shared)).toMatchObject({ support: 24 });
    expect(linesOf(path)).toHaveLength(1 + 24 + 24);
  });
});
