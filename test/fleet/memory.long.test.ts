import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/fleet/database/database.ts';
import { createDatabaseMemory, readSharedPatterns } from '../../src/fleet/memory/database-memory.ts';
import { addReflections } from '../../src/fleet/memory/reflection-rows.ts';
import { storedRepository } from '../../src/fleet/memory/repository-row.ts';
import { searchRows } from '../../src/fleet/memory/search-rows.ts';
import {
  readReflections,
  reflectionPath,
  type ReflectionRecord,
} from '../../src/memory/episodes/reflection-files.ts';
import type { LessonCandidate, LessonStore } from '../../src/memory/lessons/contract.ts';
import { createLessonStore, lessonStoreOn } from '../../src/memory/lessons/store.ts';
import { rememberRepairs } from '../../src/memory/recall/repairs.ts';
import { searchReflections, type ReflectionQuery } from '../../src/memory/search/search.ts';
import { admitShared } from '../../src/memory/store/crossing.ts';
import { createFileMemory } from '../../src/memory/store/file-memory.ts';
import type { Reflection, Repair } from '../../src/schema/generated.ts';
import { put, sampleReflection } from '../memory/sample.ts';
import { hasPostgres, remoteWith, startWorker, testServer } from '../support/fleet.ts';
import { ralph } from '../support/ralph.ts';
import { git, QUICK_FILES, repositoryWith, temporaryFolder } from '../support/repositories.ts';

const WORDS = [
  'parser',
  'parse',
  'webhook',
  'empty',
  'body',
  'Größe',
  'café',
  'src',
  '日本',
  'x',
  "it's",
  '\\d',
];
const NOW = new Date('2026-02-01T00:00:00Z');
const SHOP = { name: 'github.com/octo/shop', organisation: 'github.com/octo' };

/** Reproducible random numbers, 0..1. */
function randomFrom(seed: number) {
  let state = seed;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const text = (): string =>
    Array.from({ length: 3 + Math.floor(random() * 20) }, () => pick(WORDS)).join(' ');
  return { random, pick, text };
}

function randomReflections(seed: number, count: number): Reflection[] {
  const { random, pick, text } = randomFrom(seed);
  return Array.from({ length: count }, (_, index) =>
    sampleReflection({
      loop: `ralph-${pick(['a', 'b', 'c'])}-${index}`,
      iteration: Math.floor(random() * 3),
      timestamp: `2026-01-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}T10:00:00Z`,
      task: text(),
      text: text().padEnd(150, '.'),
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
    }),
  );
}

function randomQueries(seed: number, count: number): ReflectionQuery[] {
  const { random, pick } = randomFrom(seed);
  return Array.from({ length: count }, () => ({
    now: NOW,
    ...(random() < 0.7 && { words: Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(WORDS)) }),
    ...(random() < 0.2 && {
      words: ['empty body', 'src/parse', 'x x', 'par'].slice(Math.floor(random() * 4)),
    }),
    ...(random() < 0.3 && { categories: ['logic_error', 'other'] as const }),
    ...(random() < 0.3 && { minConfidence: random() }),
    ...(random() < 0.2 && { loop: `ralph-a-${Math.floor(random() * 100)}` }),
    ...(random() < 0.2 && { file: pick(['src/**', 'parse.test.*', '*.js', 'none']) }),
    ...(random() < 0.2 && { fingerprint: '0123456789ab' }),
    ...(random() < 0.2 && { since: pick(['20d', '2026-01-15']) }),
    ...(random() < 0.5 && { limit: 1 + Math.floor(random() * 10) }),
  }));
}

function asFiles(reflections: readonly Reflection[]): ReflectionRecord[] {
  return reflections.map((reflection) => {
    const { loop_id, iteration } = reflection;
    return { path: reflectionPath(loop_id, iteration), number: iteration + 1, source: 'ralph', reflection };
  });
}

async function store(
  database: Database,
  repository: typeof SHOP,
  reflections: readonly Reflection[],
): Promise<string> {
  const row = await storedRepository(database, repository);
  const placed = asFiles(reflections).map(({ path, reflection }) => ({ path, record: reflection }));
  expect(await addReflections(database, row, placed)).toBe(reflections.length);
  return row.id;
}

describe.skipIf(!hasPostgres)('memory in the database', async () => {
  const server = hasPostgres ? await testServer() : undefined!;

  it.each([
    ['a small store', 120, 100],
    ['a store in which most words are too common to rank', 1200, 12],
  ])(
    'finds in %s what the file store finds, with the same scores, beside other repositories',
    async (_, size, queries) => {
      const database = await openDatabase({ url: await server.freshDatabase() });
      const own = randomReflections(7, size);
      const sibling = randomReflections(8, 90).map((one) => ({ ...one, loop_id: `${one.loop_id}-s` }));
      const id = await store(database, SHOP, own);
      await store(database, { ...SHOP, name: 'github.com/octo/tool' }, sibling);
      await store(
        database,
        { name: 'gitlab.com/else/shop', organisation: 'gitlab.com/else' },
        randomReflections(9, 90),
      );
      const inRepository = { fact: 'repository', value: id } as const;
      const inOrganisation = { fact: 'organisation', value: SHOP.organisation } as const;
      for (const query of randomQueries(size, queries)) {
        const asked = JSON.stringify(query);
        expect(await searchRows(database, inRepository, query), asked).toEqual(
          searchReflections(asFiles(own), query),
        );
        expect(await searchRows(database, inOrganisation, query), asked).toEqual(
          searchReflections(asFiles([...own, ...sibling]), query),
        );
      }
      await database.close();
    },
  );

  it('is the same on two machines after both have pushed and pulled, in any order', async () => {
    const address = await server.freshDatabase();
    const remote = remoteWith({ 'a.txt': 'a' });
    const [one, other] = [clone(remote), clone(remote)];
    const env = { DATABASE_URL: address };
    await lessonStore(one).admit([candidate('`parse` must trim its input first')], STATED);
    await lessonStore(other).admit([candidate('the port of the test server is 4711')], STATED);
    const reflection = sampleReflection({ loop: 'ralph-one', text: 'x'.padEnd(150, '.') });
    put(one, reflectionPath('ralph-one', 0), reflection);
    put(other, reflectionPath('ralph-one', 0), { ...reflection, task_description: 'another task' });
    await rememberRepairs(one, [repair('comparison')]);
    for (const [root, way] of [
      [one, 'push'],
      [other, 'push'],
      [one, 'pull'],
      [other, 'pull'],
      [other, 'push'],
    ] as const) {
      const { exitCode, stderr } = await ralph(root, ['memory', way, ...ofOrigin(root)], { env });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    }
    const again = await ralph(one, ['memory', 'pull', ...ofOrigin(one), '--format', 'json'], { env });
    expect(JSON.parse(again.stdout)).toMatchObject({
      reflections: 0,
      lessons: { added: 0, changed: 0 },
      repairs: 0,
    });
    const [first, second] = [await contentOf(one), await contentOf(other)];
    expect(first.lessons).toHaveLength(2);
    // The second reflection of one attempt is kept beside the first.
    expect(first.reflections.map(({ task_description }) => task_description)).toEqual([
      'Fix the parser',
      'another task',
    ]);
    expect(second.lessons).toEqual(first.lessons);
    expect(new Set(second.reflections.map(({ task_description }) => task_description))).toEqual(
      new Set(['Fix the parser', 'another task']),
    );
    expect(second.repairs).toEqual(first.repairs);
  });

  it('lets committed files decide where both have a lesson', async () => {
    const address = await server.freshDatabase();
    const env = { DATABASE_URL: address };
    const root = clone(remoteWith({ 'a.txt': 'a' }));
    const [added] = await lessonStore(root).admit([candidate('`parse` must trim its input first')], STATED);
    await ralph(root, ['memory', 'push', ...ofOrigin(root)], { env });
    const theirs = clone(git(root, 'remote', 'get-url', 'origin').trim());
    await ralph(theirs, ['memory', 'pull', ...ofOrigin(theirs)], { env });
    await lessonStore(theirs).archive(added!.lesson!.id, 'It was wrong.');
    await ralph(theirs, ['memory', 'push', ...ofOrigin(theirs)], { env });
    git(root, 'add', '-f', '.aiwg/ralph/memory/lessons.jsonl');
    await ralph(root, ['memory', 'pull', ...ofOrigin(root)], { env });
    expect(await lessonStore(root).list()).toMatchObject([{ status: 'active' }]);
    git(root, 'rm', '--cached', '-q', '.aiwg/ralph/memory/lessons.jsonl');
    await ralph(root, ['memory', 'pull', ...ofOrigin(root)], { env });
    expect(await lessonStore(root).list(['archived'])).toMatchObject([{ status_reason: 'It was wrong.' }]);
  });

  it('tells other repositories the patterns of edits alone, and other organisations no code', async () => {
    const database = await openDatabase({ url: await server.freshDatabase() });
    const open = async (repository: typeof SHOP) => {
      const row = await storedRepository(database, repository);
      return { row, memory: createDatabaseMemory(database, row) };
    };
    const shop = await open(SHOP);
    const pattern = 'In `src/cart.js` the `comparison` edit "< → <=" fixed failures';
    await lessonStoreOn(shop.memory.lessons).admit(
      [
        { ...candidate(pattern), type: 'fix_pattern' },
        { ...candidate('run the tests with npm run check:fast'), type: 'command' },
        { ...candidate('we prefer tabs over spaces'), type: 'preference' },
      ].map((one) => ({ ...one, subject: 'project', source: { pass: 'reflection' } }) as LessonCandidate),
      STATED,
    );
    await shop.memory.repairs.add([repair('comparison', 'secret → code'), repair('not-an-Operator!')]);
    const sibling = await open({ ...SHOP, name: 'github.com/octo/tool' });
    const foreign = await open({ name: 'gitlab.com/else/shop', organisation: 'gitlab.com/else' });
    const told = async ({ row, memory }: typeof shop): Promise<string[]> => {
      const store = lessonStoreOn(memory.lessons);
      await admitShared(store, await readSharedPatterns(database, row));
      return (await store.list()).map(({ text }) => text).sort();
    };
    const anywhere = 'Edits of the operator `comparison` fixed failures in other repositories.';
    expect(await told(sibling)).toEqual([anywhere, pattern]);
    expect(await told(foreign)).toEqual([anywhere]);
    await database.close();
  });

  it('shows a role the memory of its own organisation alone, and lets it write nothing elsewhere', async () => {
    const address = await server.freshDatabase();
    const owner = await openDatabase({ url: address });
    await store(owner, SHOP, randomReflections(1, 5));
    await store(
      owner,
      { name: 'gitlab.com/else/shop', organisation: 'gitlab.com/else' },
      randomReflections(2, 7),
    );
    const [octo, stranger, none] = [
      await server.role('octo'),
      await server.role('stranger'),
      await server.role('nobody'),
    ];
    const env = { DATABASE_URL: address };
    const grant = (role: string, organisation: string) =>
      ralph(temporaryFolder(), ['fleet', 'grant', role, organisation], { env });
    expect(await grant(octo, SHOP.organisation)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await grant(stranger, 'gitlab.com/else')).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await grant('missing', 'x')).stderr).toMatch(/has no role "missing"/);
    expect((await grant('ralph', 'x')).stderr).toMatch(/owns the tables/);
    for (const name of ['', 'github.com/*'])
      expect(await grant(octo, name)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('is not the name') as string,
      });
    const asRole = (role: string) =>
      openDatabase({ url: address.replace(/\/\/[^:]+:[^@]+@/, `//${role}:pw@`) });
    const seen = async (role: string): Promise<unknown> => {
      const database = await asRole(role);
      const rows = await database.query(
        'SELECT organisation, count(*)::int FROM ralph.memory_reflection GROUP BY 1',
      );
      await database.close();
      return rows;
    };
    expect(await seen(octo)).toEqual([{ organisation: SHOP.organisation, count: 5 }]);
    expect(await seen(stranger)).toEqual([{ organisation: 'gitlab.com/else', count: 7 }]);
    await expect(seen(none)).rejects.toThrow(/permission denied/);
    const member = await asRole(stranger);
    const inShop = { fact: 'organisation', value: SHOP.organisation } as const;
    expect(await searchRows(member, inShop, { words: ['parser'] })).toEqual([]);
    await expect(storedRepository(member, { ...SHOP, name: 'planted' })).rejects.toThrow(
      /row-level security/,
    );
    await expect(member.query('SELECT * FROM ralph.job')).rejects.toThrow(/permission denied/);
    await expect(
      member.query(
        `INSERT INTO ralph.memory_lesson (repository, organisation, id, lesson)
         VALUES (1, 'gitlab.com/else', 'planted', '{}')`,
      ),
    ).rejects.toThrow(/foreign key/);
    await member.close();
    // Without the policy, the same role reads everything: the policy is what keeps it out.
    await owner.query('ALTER TABLE ralph.memory_reflection DISABLE ROW LEVEL SECURITY');
    expect(await seen(stranger)).toHaveLength(2);
    await owner.close();
  });

  it('is not that of the repository which a checkout claims to be of, unless the server or the user says so', async () => {
    const address = await server.freshDatabase();
    const owner = await openDatabase({ url: address });
    await store(owner, SHOP, randomReflections(1, 5));
    const forged = repositoryWith({ 'a.txt': 'a' });
    git(forged, 'remote', 'add', 'origin', `https://${SHOP.name}`);
    const exchange = async (url: string, ...args: string[]) => {
      const { exitCode, stdout, stderr } = await ralph(forged, ['memory', ...args], {
        env: { DATABASE_URL: url },
      });
      return `${exitCode} ${/Memory of \S+|says that it is|permission denied/.exec(stdout + stderr)?.[0]}`;
    };
    for (const way of ['pull', 'push']) expect(await exchange(address, way)).toBe('2 says that it is');
    expect(await reflectionsIn(forged)).toBe(0);
    const [member, other] = [await server.role('member'), await server.role('other')];
    for (const [role, organisation] of [
      [member, SHOP.organisation],
      [other, 'github.com/other'],
    ] as const)
      await ralph(forged, ['fleet', 'grant', role, organisation], { env: { DATABASE_URL: address } });
    const as = (role: string): string => address.replace(/\/\/[^:]+:[^@]+@/, `//${role}:pw@`);
    expect(await exchange(as(other), 'pull')).toBe('2 says that it is');
    expect(await exchange(address, 'pull', '--repository', '.')).toBe(`0 Memory of ${realpathSync(forged)}`);
    expect(await reflectionsIn(forged)).toBe(0);
    expect(await exchange(as(member), 'pull')).toBe(`0 Memory of ${SHOP.name}`);
    expect(await reflectionsIn(forged)).toBe(5);
    // A job of the forged checkout is of its folder alone, unless its submitter says otherwise.
    const [env, task] = [{ DATABASE_URL: address }, ['--command', 'true']];
    const { stderr } = await ralph(forged, ['submit', '.', ...task], { env });
    expect(stderr).toBe(
      `Note: limits and memory of the job are those of this folder. For those of its origin: --as https://${SHOP.name}\n`,
    );
    await ralph(forged, ['submit', '.', '--as', `https://${SHOP.name}`, ...task], { env });
    const lanes = await owner.query('SELECT organisation, repository AS name FROM ralph.lane ORDER BY id');
    expect(lanes).toEqual([{ organisation: 'local', name: realpathSync(forged) }, SHOP]);
    await owner.close();
  });

  it('is used and filled by workers, and erased on request', async () => {
    const address = await server.freshDatabase();
    const env = { DATABASE_URL: address };
    const remote = remoteWith(QUICK_FILES);
    await ralph(temporaryFolder(), ['submit', remote, '--command', 'true', '-i', '1'], { env });
    const { exitCode } = await startWorker(address, ['--drain']).process;
    expect(exitCode).toBe(0);
    const database = await openDatabase({ url: address });
    const count =
      'SELECT (SELECT count(*) FROM ralph.memory_reflection)::int AS reflections, (SELECT count(*) FROM ralph.job)::int AS jobs';
    expect(await database.query(count)).toEqual([{ reflections: 1, jobs: 1 }]);
    const machine = clone(remote);
    await ralph(machine, ['memory', 'pull', ...ofOrigin(machine)], { env });
    expect((await ralph(machine, ['reflections', 'list'])).stdout).toMatch(/ralph-/);
    const erase = ['memory', 'erase', '--repository', remote];
    expect(await ralph(machine, erase, { env })).toMatchObject({ exitCode: 2 });
    expect(await ralph(machine, [...erase, '--yes'], { env })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await database.query(count)).toEqual([{ reflections: 0, jobs: 0 }]);
    expect((await ralph(machine, [...erase, '--yes'], { env })).stderr).toMatch(
      /has nothing of a repository/,
    );
    // As in a database that has stored memory, and no job yet.
    await database.query('DROP SCHEMA pgboss CASCADE');
    await ralph(machine, ['memory', 'push', ...ofOrigin(machine)], { env });
    expect(await ralph(machine, [...erase, '--yes'], { env })).toMatchObject({ exitCode: 0, stderr: '' });
    await database.close();
  });
});

const STATED = { kind: 'stated' } as const;

function candidate(text: string): LessonCandidate {
  const rest = {
    type: 'pitfall',
    subject: 'agent',
    source: { pass: 'user' },
    confidence: 0.8,
    importance: 0.5,
  } as const;
  return { text, ...rest, evidence: [{ quote: text }] };
}

function repair(operator: string, edit = 'a → b'): Repair {
  return {
    ...{ loop_id: 'ralph-one', operator, edit: `src/cart.js: ${edit} @1`, file_path: 'src/cart.js' },
    ...{ test_file: 'test/cart.test.js', recorded_at: '2026-01-25T10:00:00.000Z' },
  };
}

async function reflectionsIn(root: string): Promise<number> {
  return (await contentOf(root)).reflections.length;
}

/** Who owns the tables says that the origin of a checkout is to be believed. */
function ofOrigin(root: string): string[] {
  return ['--repository', git(root, 'remote', 'get-url', 'origin').trim()];
}

function clone(remote: string): string {
  const folder = join(temporaryFolder(), 'clone');
  git(temporaryFolder(), 'clone', '--quiet', remote, folder);
  return folder;
}

function lessonStore(repositoryRoot: string): LessonStore {
  return createLessonStore({ repositoryRoot });
}

async function contentOf(root: string) {
  const memory = createFileMemory(root);
  const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);
  return {
    lessons: [...(await memory.lessons.list())].sort(byId),
    reflections: (await readReflections(root)).records.map(({ reflection }) => reflection),
    repairs: await memory.repairs.read(),
  };
}
