import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/memory/episodes/episodes.ts';
import { readReflections, type DamagedFile } from '../../../src/memory/episodes/reflection-files.ts';
import type { Memory } from '../../../src/ports.ts';
import { put, sampleAiwgRecord, sampleReflection } from '../sample.ts';

const FOLDER = '.aiwg/ralph/reflections';

let root: string;
let damaged: DamagedFile[];
let memory: Memory;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-memory-'));
  damaged = [];
  memory = createMemory({ repositoryRoot: root, onDamaged: (file) => damaged.push(file) });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const iterations = async (loop = 'ralph-sample'): Promise<number[]> =>
  (await memory.episodes(loop)).map(({ iteration }) => iteration);

describe('remember', () => {
  it('writes iteration 0 to 001.json as indented JSON, and returns its path and record', async () => {
    const reflection = sampleReflection();
    const { path } = await memory.remember(reflection);
    expect(path).toBe(`${FOLDER}/ralph-sample/001.json`);
    const text = readFileSync(join(root, path), 'utf8');
    expect(JSON.parse(text)).toEqual(reflection);
    expect(text.split('\n').length).toBeGreaterThan(40);
    expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).not.toContain('reflections/\n/');
  });

  it('keeps a copy of a replaced record or invalid file', async () => {
    const path = join(root, (await memory.remember(sampleReflection({ confidence: 0.5 }))).path);
    const earlier = readFileSync(path);
    await memory.remember(sampleReflection({ confidence: 0.5 }));
    await memory.remember(sampleReflection({ confidence: 0.6 }));
    writeFileSync(path, '{"half');
    await memory.remember(sampleReflection({ confidence: 0.7 }));
    expect(readdirSync(join(path, '..')).sort()).toEqual([
      '001.json',
      '001.json.damaged',
      '001.json.earlier',
    ]);
    expect(readFileSync(`${path}.earlier`)).toEqual(earlier);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('{"half');
    expect(await iterations()).toEqual([0]);
    expect(damaged).toEqual([]);
  });

  it('replaces the record when an iteration is reflected on again', async () => {
    await memory.remember(sampleReflection({ confidence: 0.5 }));
    await memory.remember(sampleReflection({ confidence: 0.6 }));
    const [episode, ...others] = await memory.episodes('ralph-sample');
    expect(episode?.self_reflection.confidence).toBe(0.6);
    expect(others).toEqual([]);
  });

  it.each([
    ['a short text', { text: 'Be careful.' }],
    ['an id that is a path', { loop: '../../etc' }],
    ['a confidence above 1', { confidence: 1.2 }],
    ['no insight', { insights: [] }],
  ])('refuses a record with %s and writes nothing', async (_, change) => {
    await expect(memory.remember(sampleReflection(change))).rejects.toThrow('The reflection is invalid');
    expect(readdirSync(root)).toEqual([]);
  });

  it('removes temporary files of a killed run before it writes', async () => {
    put(root, `${FOLDER}/ralph-sample/.001.json.${2 ** 22 + 7}-0123456789ab.ralph-tmp`, 'half');
    await memory.remember(sampleReflection());
    expect(readdirSync(join(root, FOLDER, 'ralph-sample'))).toEqual(['001.json']);
  });

  it('refuses to write through a link that leads out of the repository', async () => {
    mkdirSync(join(root, FOLDER), { recursive: true });
    symlinkSync(tmpdir(), join(root, FOLDER, 'ralph-sample'));
    await expect(memory.remember(sampleReflection())).rejects.toMatchObject({ code: 'repository_unusable' });
  });
});

describe('episodes', () => {
  it('returns records by iteration: 9 before 10, 99 before 100, 999 before 1000', async () => {
    const order = [0, 8, 9, 98, 99, 100, 998, 999, 1000];
    for (const iteration of [...order].reverse()) await memory.remember(sampleReflection({ iteration }));
    expect(await iterations()).toEqual(order);
    expect(readdirSync(join(root, FOLDER, 'ralph-sample'))).toContain('1001.json');
    expect(damaged).toEqual([]);
  });

  it('reads a file again only when it has changed', async () => {
    const path = join(root, (await memory.remember(sampleReflection())).path);
    await memory.remember(sampleReflection({ iteration: 1 }));
    const [first, second] = await memory.episodes('ralph-sample');
    writeFileSync(path, JSON.stringify(sampleReflection({ confidence: 0.6 })));
    const [changed, unchanged] = await memory.episodes('ralph-sample');
    expect(changed).not.toBe(first);
    expect(changed?.self_reflection.confidence).toBe(0.6);
    expect(unchanged).toBe(second);
    rmSync(path);
    expect(await iterations()).toEqual([1]);
  });

  it('returns the records of one loop, and none for an unknown loop', async () => {
    await memory.remember(sampleReflection());
    await memory.remember(sampleReflection({ loop: 'ralph-sample-2', iteration: 3 }));
    expect(await iterations('ralph-sample-2')).toEqual([3]);
    expect(await iterations('ralph-none')).toEqual([]);
    expect(await iterations('../reflections/ralph-sample')).toEqual([]);
  });

  const wrong: [string, string, unknown, string | RegExp][] = [
    ['half a file', '002.json', '{"loop_id": "ral', /^cannot be read: .*JSON/],
    ['an empty file', '002.json', '', /^cannot be read/],
    ['a file of another kind', '002.json', { hello: 1 }, /^is not a valid reflection: /],
    ['a list', '002.json', [1, 2], 'is not a valid reflection: value must be object'],
    ['null', '002.json', 'null', 'is not a valid reflection: value must be object'],
    ['a field out of range', '002.json', sampleReflection({ iteration: 1, confidence: 3 }), /confidence/],
    ['a name that is not a number', 'notes.json', sampleReflection(), 'is not named like 001.json'],
    ['a name of two digits', '02.json', sampleReflection({ iteration: 1 }), 'is not named like 001.json'],
    [
      'the record of another iteration',
      '002.json',
      sampleReflection(),
      /^is iteration 0 of ralph-sample, which/,
    ],
    [
      'the record of another loop',
      '002.json',
      sampleReflection({ loop: 'ralph-x', iteration: 1 }),
      /of ralph-x/,
    ],
    ['more than 5 MB', '002.json', ' '.repeat(5 * 1024 * 1024 + 1), /^has 5242881 bytes/],
    [
      'a record of AIWG alone',
      '002.json',
      sampleAiwgRecord('ralph-sample'),
      /^satisfies AIWG's schema but not ralph's/,
    ],
    [
      'a million brackets',
      '002.json',
      '['.repeat(1e6) + ']'.repeat(1e6),
      /^cannot be read: it is nested deeper/,
    ],
  ];
  it.each(wrong)('skips and reports %s', async (_, name, content, problem) => {
    await memory.remember(sampleReflection());
    await memory.remember(sampleReflection({ iteration: 2 }));
    put(root, `${FOLDER}/ralph-sample/${name}`, content);
    expect(await iterations()).toEqual([0, 2]);
    expect(damaged).toEqual([
      {
        path: `${FOLDER}/ralph-sample/${name}`,
        problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
      },
    ]);
  });

  it('reports a damaged file once over several calls', async () => {
    put(root, `${FOLDER}/ralph-sample/001.json`, '{');
    await iterations();
    await iterations();
    expect(damaged).toHaveLength(1);
  });

  it('skips files that are not regular without blocking', async () => {
    await memory.remember(sampleReflection());
    const folder = join(root, FOLDER, 'ralph-sample');
    execaSync('mkfifo', [join(folder, '002.json')]);
    mkdirSync(join(folder, '003.json'));
    symlinkSync('001.json', join(folder, '004.json'));
    writeFileSync(join(folder, '.gitkeep'), '');
    writeFileSync(join(folder, 'README.md'), '');
    expect(await iterations()).toEqual([0]);
    expect(damaged.map(({ path, problem }) => `${path.slice(-8)} ${problem}`)).toEqual([
      '002.json is not a regular file',
      '003.json is not a regular file',
      '004.json is not a regular file',
    ]);
  });
});

describe('readReflections', () => {
  it("returns ralph's and AIWG's records of all folders, by folder and number", async () => {
    await memory.remember(sampleReflection({ loop: 'ralph-b', iteration: 9 }));
    await memory.remember(sampleReflection({ loop: 'ralph-b', iteration: 8 }));
    put(root, `${FOLDER}/example/001.json`, sampleAiwgRecord());
    put(root, `${FOLDER}/example/002.json`, '{');
    const { records, damaged: broken } = await readReflections(root);
    expect(records.map(({ path, source }) => `${path.slice(FOLDER.length + 1)} ${source}`)).toEqual([
      'example/001.json aiwg',
      'ralph-b/009.json ralph',
      'ralph-b/010.json ralph',
    ]);
    expect(broken.map(({ path }) => path)).toEqual([`${FOLDER}/example/002.json`]);
  });

  it('returns nothing without a memory folder', async () => {
    expect(await readReflections(root)).toEqual({ records: [], damaged: [] });
  });
});
