import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { execaSync } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/memory/episodes/episodes.ts';
import { TABLES } from '../../../src/memory/search/database.ts';
import { queryIndex } from '../../../src/memory/search/query.ts';
import { isSelective, MANY_MATCHES } from '../../../src/memory/search/score.ts';
import { searchStore, type StoreSearch } from '../../../src/memory/search/search-store.ts';
import { readReflections, reflectionPath } from '../../../src/memory/episodes/reflection-files.ts';
import { searchReflections, type ReflectionQuery } from '../../../src/memory/search/search.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { put, sampleAiwgRecord, sampleReflection, type SampleChange } from '../sample.ts';

const FOLDER = '.aiwg/ralph/reflections';
const INDEX = '.aiwg/ralph/index.sqlite';
const WORDS = ['parser', 'parse', 'webhook', 'empty', 'body', 'Größe', 'café', 'src', '日本', 'x'];
const NOW = new Date('2026-02-01T00:00:00Z');

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

/** Reproducible random numbers, 0..1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function add(change: SampleChange): string {
  const reflection = sampleReflection(change);
  const path = reflectionPath(reflection.loop_id, reflection.iteration);
  put(root, path, reflection);
  return path;
}

/** The comparable parts of a result: paths and scores in order, and damaged files. */
async function both(query: ReflectionQuery): Promise<{ index: object; scan: object; by: string }> {
  const asked = { now: NOW, ...query };
  const { records, damaged } = await readReflections(root);
  const found = await searchStore(root, asked);
  const shown = (matches: StoreSearch['matches']): unknown =>
    matches.map(({ record, score }) => [record, score]);
  const paths = (files: readonly { readonly path: string; readonly problem: string }[]): unknown =>
    [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const isAsked = ({ path }: { readonly path: string }): boolean =>
    query.loop === undefined || path.split('/').at(-2) === query.loop;
  return {
    index: { matches: shown(found.matches), damaged: paths(found.damaged) },
    scan: { matches: shown(searchReflections(records, asked)), damaged: paths(damaged.filter(isAsked)) },
    by: found.by,
  };
}

describe('searchStore', () => {
  it('finds the same as a full scan after random changes of the files', async () => {
    const random = randomFrom(20_260_125);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const text = (): string =>
      Array.from({ length: 12 + Math.floor(random() * 20) }, () => pick(WORDS)).join(' ');
    const change = (): SampleChange => ({
      loop: `ralph-${pick(['a', 'b', 'c', 'a-b'])}`,
      iteration: Math.floor(random() * 12),
      timestamp: `2026-01-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}T10:00:00Z`,
      task: text(),
      text: text().padEnd(120, '.'),
      lessons: [text(), text()],
      category: pick(['edge_case_miss', 'logic_error', 'other']),
      confidence: Math.round(random() * 100) / 100,
      files: [pick(['src/parse.ts', 'src/api/webhook.ts', 'lib/x.js'])],
      errors: [
        {
          ...{ type: 'test_failure', message: text(), severity: 'error', check: 'tests' },
          ...{ fingerprint: pick(['0123456789ab', 'ba9876543210']), file: 'test/parse.test.ts' },
        },
      ],
    });
    const files = (): string[] =>
      existsSync(join(root, FOLDER))
        ? readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' })
            .filter((name) => name.endsWith('.json'))
            .map((name) => join(root, FOLDER, name))
        : [];
    const inPlace = (path: string): void => {
      const { atime, mtime } = statSync(path);
      const other = change();
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(
          /"lessons_learned":\[[^\]]*\]/,
          `"lessons_learned":["${other.task}"]`,
        ),
      );
      // Restores the time, as some tools do.
      if (random() < 0.5) utimesSync(path, atime, mtime);
    };
    const edits: (() => void)[] = [
      () => add(change()),
      () => add(change()),
      () => files().length > 0 && inPlace(pick(files())),
      () => files().length > 0 && rmSync(pick(files())),
      () => files().length > 0 && truncateSync(pick(files()), 50),
      () => put(root, `${FOLDER}/ralph-foreign/00${1 + Math.floor(random() * 3)}.json`, sampleAiwgRecord()),
      () => put(root, `${FOLDER}/ralph-a/notes.json`, '{}'),
      () => rmSync(join(root, FOLDER, 'ralph-b'), { recursive: true, force: true }),
      () => {
        if (existsSync(join(root, FOLDER, 'ralph-c')) && !existsSync(join(root, FOLDER, 'ralph-d')))
          renameSync(join(root, FOLDER, 'ralph-c'), join(root, FOLDER, 'ralph-d'));
      },
      () => rmSync(join(root, INDEX), { force: true }),
      () => existsSync(join(root, INDEX)) && truncateSync(join(root, INDEX), 5000),
    ];
    const query = (): ReflectionQuery => ({
      ...(random() < 0.7 && {
        words: Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(WORDS)),
      }),
      ...(random() < 0.1 && { words: ['empty body', 'src/parse'] }),
      ...(random() < 0.3 && { categories: ['logic_error', 'other'] as const }),
      ...(random() < 0.3 && { minConfidence: random() }),
      ...(random() < 0.2 && { loop: pick(['ralph-a', 'ralph-d', 'ralph-none']) }),
      ...(random() < 0.2 && { file: pick(['src/**', 'parse.test.*', '*.js']) }),
      ...(random() < 0.2 && { fingerprint: '0123456789ab' }),
      ...(random() < 0.2 && { since: '14d' }),
      ...(random() < 0.6 && { limit: 1 + Math.floor(random() * 5) }),
    });
    for (let count = 0; count < 30; count++) add(change());
    const ways = new Set<string>();
    for (let round = 0; round < 150; round++) {
      for (let count = Math.floor(random() * 3); count > 0; count--) pick(edits)();
      // Sometimes long enough for stamps to be trusted.
      if (round % 50 === 49) await sleep(2100);
      const asked = query();
      const { index, scan, by } = await both(asked);
      expect([round, asked, index]).toEqual([round, asked, scan]);
      ways.add(by);
    }
    expect([...ways]).toEqual(['index']);
  });

  it('finds the same as a full scan in a large store, where common words do not rank', async () => {
    const random = randomFrom(1_309);
    const share = { common: 0.9, third: 0.33, fewer: 0.2, seldom: 0.01 };
    const names = Object.keys(share) as (keyof typeof share)[];
    const all = 3 * MANY_MATCHES + 300;
    for (let count = 0; count < all; count++) {
      const words = names.flatMap((name) =>
        random() < share[name] ? Array(1 + (count % 3)).fill(name) : [],
      );
      const category = random() < 0.2 ? 'logic_error' : 'other';
      // Many scores are equal, so that the limit cuts within equal ones.
      add({
        loop: `ralph-${count % 50}`,
        iteration: Math.floor(count / 50),
        lessons: [words.join(' ')],
        category,
        files: [count % 3 === 0 ? 'src/few.ts' : `src/many-${count % 40}.ts`],
      });
    }
    const { records } = await readReflections(root);
    const having = (name: string): number =>
      records.filter(({ reflection }) => JSON.stringify(reflection).includes(name)).length;
    expect(names.map((name) => isSelective(having(name), all))).toEqual([false, false, true, true]);
    for (const words of [
      ['common'],
      ['third'],
      ['common', 'third'],
      ['fewer'],
      ['seldom'],
      ['third', 'seldom'],
      ['none'],
    ]) {
      for (const rest of [
        { limit: 1 },
        { limit: 10 },
        {},
        { limit: 3, categories: ['logic_error'] as const },
        { limit: 3, file: '*.ts' },
        { limit: 3, file: 'src/few.ts' },
        { file: 'src/many-*', minConfidence: 0.2 },
      ]) {
        const query = { words, ...rest };
        const found = (await searchStore(root, query)).matches;
        const scanned = searchReflections(records, query);
        expect([query, found]).toEqual([query, scanned]);
        const isRanked = words.some((word) => word === 'fewer' || word === 'seldom');
        expect([query, new Set(found.map(({ score }) => score > 0))]).toEqual([
          query,
          new Set(found.length === 0 ? [] : [isRanked]),
        ]);
      }
    }
  });

  it('avoids collecting common words and looking up filtered rows in a large store', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(TABLES);
    const addDoc = database.prepare(
      `INSERT INTO doc VALUES (?, printf('r/%d', ?1), 'l', 1, 'ralph', NULL, 'l', ?1, 0, 'other', 0.5)`,
    );
    database.exec(`INSERT INTO file VALUES (1, 'src/all.ts'), (2, 'src/one.ts')`);
    const addFile = database.prepare('INSERT INTO doc_file VALUES (?, ?)');
    for (let id = 1; id <= 3000; id++) {
      addDoc.run(id);
      addFile.run(id === 7 ? 2 : 1, id);
    }
    const isAsked = (): boolean => {
      try {
        return database.prepare('SELECT has_file(7) AS has').get() !== undefined;
      } catch {
        return false;
      }
    };
    const pathsOf = (query: ReflectionQuery): string[] => queryIndex(database, query).map(({ path }) => path);
    expect(pathsOf({ file: 'one.ts' })).toEqual(['r/7']);
    expect(isAsked()).toBe(false);
    expect(pathsOf({ file: '*.ts', limit: 2 })).toEqual(['r/3000', 'r/2999']);
    expect(isAsked()).toBe(true);
    expect(pathsOf({ file: 'all.ts' })).toHaveLength(2999);
    const held = database.prepare(`SELECT name FROM pragma_index_info('doc_by_time')`).all();
    expect(held.map(({ name }) => name)).toEqual(expect.arrayContaining(['category', 'confidence']));
    database.close();
  });

  it('creates an index only where there are reflections', async () => {
    expect(await searchStore(root, {})).toEqual({ matches: [], damaged: [], by: 'scan' });
    expect(readdirSync(root)).toEqual([]);
    add({});
    expect((await searchStore(root, { words: ['parser'] })).matches).toHaveLength(1);
    expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).toContain('/index.sqlite*');
  });

  it.each([
    ['missing', () => rmSync(join(root, INDEX))],
    ['no database', () => writeFileSync(join(root, INDEX), 'hello '.repeat(1000))],
    ['cut short', () => truncateSync(join(root, INDEX), 8192)],
    ['empty', () => truncateSync(join(root, INDEX), 0)],
    ['of another version', () => execSql('PRAGMA user_version = 99')],
    ['without what it has seen', () => execSql('DELETE FROM seen')],
    ['without a table', () => execSql('DROP TABLE words')],
    [
      'locked by a file that is no lock',
      () => writeFileSync(join(root, `${INDEX}-writer`), 'x'.repeat(2000)),
    ],
  ])('rebuilds an index that is %s', async (_, damage) => {
    const path = add({ lessons: ['The webhook answers with an empty body.'] });
    await searchStore(root, {});
    damage();
    appendFileSync(join(root, path), '\n');
    const found = await searchStore(root, { words: ['webhook'] });
    expect(found).toMatchObject({ by: 'index', damaged: [] });
    expect(found.matches.map(({ record }) => record.path)).toEqual([path]);
    expect((await searchStore(root, { words: ['webhook'] })).by).toBe('index');
  });

  it('reads every file while another process writes the index', async () => {
    const path = add({ lessons: ['The webhook answers with an empty body.'] });
    await searchStore(root, {});
    const other = new DatabaseSync(join(root, `${INDEX}-writer`));
    other.exec('BEGIN EXCLUSIVE');
    appendFileSync(join(root, path), '\n');
    const found = await searchStore(root, { words: ['webhook'] });
    other.close();
    expect([found.by, found.matches.length]).toEqual(['scan', 1]);
    expect((await searchStore(root, { words: ['webhook'] })).by).toBe('index');
  });

  it('rolls back an incomplete change of a killed process', async () => {
    add({ lessons: ['The webhook answers with an empty body.'] });
    await searchStore(root, {});
    const script = `
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
      const database = new DatabaseSync(${JSON.stringify(join(root, INDEX))});
      database.exec('PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE; DELETE FROM doc; CREATE TABLE big (x)');
      for (let at = 0; at < 2000; at++) database.prepare('INSERT INTO big VALUES (?)').run('x'.repeat(1000));
      process.kill(process.pid, 'SIGKILL');`;
    expect(() => execaSync(process.execPath, ['-e', script], { stdio: 'ignore' }).stdout).toThrow();
    expect(existsSync(join(root, `${INDEX}-journal`))).toBe(true);
    const found = await searchStore(root, { words: ['webhook'] });
    expect([found.by, found.matches.length]).toEqual(['index', 1]);
  });

  it('looks for in-place changes once a minute in a very large store, and returns no outdated record', async () => {
    const kept = add({ lessons: ['The webhook answers with an empty body.'] });
    const edited = add({ iteration: 1, lessons: ['The webhook is slow.'] });
    const hidden = add({ iteration: 2, lessons: ['Sessions end at midnight.'] });
    await sleep(2100);
    const paths = async (): Promise<string[]> =>
      (await searchStore(root, { words: ['webhook'] })).matches.map(({ record }) => record.path).sort();
    expect(await paths()).toEqual([kept, edited]);
    const change = (path: string, before: string, after: string): void =>
      writeFileSync(join(root, path), readFileSync(join(root, path), 'utf8').replaceAll(before, after));
    const pretend = (swept: number): void => execSql(`UPDATE seen SET files = 50000, swept = ${swept}`);
    pretend(Date.now());
    change(hidden, 'Sessions', 'Webhook');
    expect(await paths()).toEqual([kept, edited]);
    // A returned record is always compared with its file.
    change(edited, 'webhook', 'session');
    expect(await paths()).not.toContain(edited);
    pretend(Date.now() - 61_000);
    expect(await paths()).toEqual([kept, hidden]);
    pretend(Date.now());
    expect(await paths()).toEqual([kept, hidden]);
  });

  it("compares folders every ten seconds in a very large store, and notices ralph's writes at once", async () => {
    add({ lessons: ['The webhook is slow.'] });
    await sleep(2100);
    const count = async (): Promise<number> =>
      (await searchStore(root, { words: ['webhook'] })).matches.length;
    expect(await count()).toBe(1);
    execSql(`UPDATE seen SET files = 50000, swept = ${Date.now()}`);
    const looked = join(root, `${INDEX}-looked`);
    expect(await count()).toBe(1);
    expect(existsSync(looked)).toBe(true);
    add({ iteration: 1, lessons: ['The webhook is slow.'] });
    expect(await count()).toBe(1);
    const before = Date.now() / 1000 - 11;
    utimesSync(looked, before, before);
    expect(await count()).toBe(2);
    execSql(`UPDATE seen SET files = 50000, swept = ${Date.now()}`);
    await createMemory({ repositoryRoot: root, onDamaged: () => {} }).remember(
      sampleReflection({ iteration: 2, lessons: ['The webhook is slow.'] }),
    );
    expect(await count()).toBe(3);
  });

  it('refuses an invalid time, and a store behind a link out of the repository', async () => {
    add({});
    await expect(searchStore(root, { since: 'yesterday' })).rejects.toMatchObject({ exitCode: 2 });
    await expect(searchStore(root, { file: '' })).rejects.toMatchObject({ exitCode: 2 });
    const outside = temporaryFolder();
    rmSync(join(root, FOLDER), { recursive: true });
    execaSync('ln', ['-s', outside, join(root, FOLDER)]);
    await expect(searchStore(root, {})).rejects.toMatchObject({ code: 'repository_unusable' });
  });

  it('stays consistent while processes search and write concurrently', async () => {
    for (let iteration = 0; iteration < 40; iteration++) add({ iteration });
    const module = join(import.meta.dirname, '../../../src/memory/search/search-store.ts');
    const script = `
      const { searchStore } = await import(${JSON.stringify(module)});
      for (let round = 0; round < 10; round++) {
        const { matches } = await searchStore(${JSON.stringify(root)}, { words: ['parser'], loop: 'ralph-sample' });
        if (matches.length !== 40) throw new Error('Found ' + matches.length);
      }`;
    const searches = Array.from({ length: 4 }, () =>
      run(process.execPath, ['--input-type=module', '-e', script]),
    );
    for (let iteration = 0; iteration < 60; iteration++) {
      add({ loop: 'ralph-crowd', iteration });
      await sleep(20);
    }
    await Promise.all(searches);
    const { index, scan, by } = await both({ words: ['parser'] });
    expect([by, index]).toEqual(['index', scan]);
  });
});

const run = promisify(execFile);

function execSql(sql: string): void {
  const database = new DatabaseSync(join(root, INDEX));
  database.exec(sql);
  database.close();
}
