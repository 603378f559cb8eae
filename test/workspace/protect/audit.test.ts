import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGuard } from '../../../src/workspace/protect/guard.ts';
import { openWorkspace, temporaryRepository, write } from '../temporary-repository.ts';

const FILES = {
  'package.json': '{ "name": "x" }\n',
  'src/a.js': 'export const a = 1;\n',
  'dist/a.js': 'export const a = 1;\n',
  'src/io.js': "import { writeFileSync } from 'node:fs';\n",
  'test/a.test.js': 'a();\n',
  'test/golden.json': '{ "a": 1 }\n',
};

/** Kinds and files of what an audit finds after checks that do this. */
async function auditAfter(
  checks: (root: string) => void,
  change: Readonly<Record<string, string>> = { 'src/a.js': 'export const a = 2;\n' },
): Promise<string[]> {
  const root = temporaryRepository(FILES);
  const { workspace, snapshots } = await openWorkspace(root);
  const guard = createGuard({ snapshots, workspace, repository: root, protect: [], allow: [] });
  write(workspace.root, change);
  const tree = await workspace.checkpoint();
  await setTimeout(30);
  const since = Date.now();
  await setTimeout(30);
  checks(workspace.root);
  const { tampering } = await guard.audit!(tree, since);
  return tampering.map(({ kind, file }) => `${kind} ${file}`);
}

const SWAPS: readonly (readonly [how: string, act: (path: string) => void])[] = [
  [
    'written twice',
    (path) => {
      const text = readFileSync(path);
      writeFileSync(path, '{ "a": 2 }\n');
      writeFileSync(path, text);
    },
  ],
  [
    'moved away and back',
    (path) => {
      renameSync(path, `${path}.old`);
      renameSync(`${path}.old`, path);
    },
  ],
  [
    'written twice, with its old time',
    (path) => {
      const text = readFileSync(path);
      writeFileSync(path, '{ "a": 2 }\n');
      writeFileSync(path, text);
      utimesSync(path, 1, 1);
    },
  ],
];

test.each(SWAPS)('a protected file that is %s while checks run is named', async (_how, act) => {
  expect(await auditAfter((root) => act(join(root, 'test/golden.json')))).toEqual([
    'changed_while_checked test/golden.json',
  ]);
});

test('a protected file that stays changed or is removed is named once', async () => {
  expect(await auditAfter((root) => write(root, { 'test/golden.json': '{}\n' }))).toEqual([
    'changed_while_checked test/golden.json',
  ]);
  expect(await auditAfter((root) => rmSync(join(root, 'test/a.test.js')))).toEqual([
    'changed_while_checked test/a.test.js',
  ]);
});

test('files that are read, sources and new files are not named', async () => {
  const honest = (root: string): void => {
    readFileSync(join(root, 'test/golden.json'));
    write(root, { 'src/a.js': 'export const a = 3;\n', 'test/out.log': 'x' });
  };
  expect(await auditAfter(honest)).toEqual([]);
});

test.each([
  ['by a new test', { 'test/b.test.js': "import { writeFileSync } from 'node:fs';\n" }],
  ['by a source', { 'src/a.js': "const fs = await import('node:' + 'fs');\n" }],
  [
    'by one more call in a source that writes files',
    { 'src/io.js': "import { writeFileSync } from 'node:fs';\nwriteFileSync('src/a.js', '');\n" },
  ],
  ['and a built one is not', { 'src/a.js': "import 'node:fs';\n" }],
  ['and the change is none, so that the untouched tree is known for it', {}],
])('a source that is written while checks run is named: %s', async (_how, change) => {
  const named = ['changed_while_checked src/a.js'];
  const rewrite = (root: string): void =>
    write(root, { 'src/a.js': 'export const a = 3;\n', 'dist/a.js': 'export const a = 3;\n' });
  expect(await auditAfter(rewrite, change)).toEqual(named);
  const [, , [, keepsTime]] = SWAPS as [unknown, unknown, (typeof SWAPS)[number]];
  expect(await auditAfter((root) => keepsTime(join(root, 'src/a.js')), change)).toEqual(named);
});

test('new data of the change may be written while checks run, a new test may not', async () => {
  const change = { 'test/out.json': '1\n', 'test/b.test.js': 'b();\n' };
  const rewrite = (root: string): void => write(root, { 'test/out.json': '2\n', 'test/b.test.js': 'c();\n' });
  expect(await auditAfter(rewrite, change)).toEqual(['changed_while_checked test/b.test.js']);
});

test('the file that can have written it is named', async () => {
  const root = temporaryRepository(FILES);
  const { workspace, snapshots } = await openWorkspace(root);
  const guard = createGuard({ snapshots, workspace, repository: root, protect: [], allow: [] });
  write(workspace.root, { 'test/b.test.js': "import { writeFileSync } from 'node:fs';\n" });
  const tree = await workspace.checkpoint();
  write(workspace.root, { 'src/a.js': 'export const a = 3;\n' });
  const [found] = (await guard.audit!(tree)).tampering;
  expect(found!.detail).toContain('src/a.js was changed while the checks ran');
  expect(found!.detail).toContain('The change lets test/b.test.js write files.');
});

test('a source that is written is not named if the change brings no call by which it can be', async () => {
  const change = { 'src/io.js': "import { writeFileSync } from 'node:fs';\n// better\n" };
  expect(await auditAfter((root) => write(root, { 'src/a.js': 'export const a = 3;\n' }), change)).toEqual(
    [],
  );
});

test('tells which new files the checks of the untouched tree wrote, and which new data a change brings', async () => {
  const root = temporaryRepository(FILES);
  const { workspace, snapshots } = await openWorkspace(root);
  const guard = createGuard({ snapshots, workspace, repository: root, protect: [], allow: ['free.json'] });
  expect((await guard.audit!(workspace.base)).written).toEqual([]);
  write(workspace.root, { 'out/a.js': 'built\n' });
  expect((await guard.audit!(workspace.base)).written).toEqual(['out/a.js']);
  write(workspace.root, {
    'out/b.js': '',
    'cases/new.json': '{}\n',
    'test/new.json': '{}\n',
    'free.json': '{}\n',
  });
  const { data, written } = await guard.audit!(await workspace.checkpoint());
  expect(data).toEqual(['cases/new.json', 'test/new.json']);
  expect(written).toEqual([]);
});
