import { describe, expect, test } from 'vitest';
import { decidingFacts } from '../../../src/ci/deciding-facts.ts';
import type { ListedFile } from '../../../src/ci/listed-tree.ts';
import { decide } from '../../../src/ci/rules/deciding-branch.ts';
import { judgingPrograms } from '../../../src/workspace/protect/judging-programs.ts';

type Files = Readonly<Record<string, string>>;

const HONEST: Files = { 'test/a.test.js': "import '../src/a.js';\n", 'src/a.js': '// main\n' };

function listed(files: Files): ReadonlyMap<string, ListedFile> {
  return new Map(
    Object.entries(files).map(([path, text]) => [path, { path, mode: '100644', id: path + text, bytes: 1 }]),
  );
}

/** Decides on files of a branch and a patch by what the default branch has. */
async function decisions(
  command: string,
  { onMain = {}, onBranch = {}, patch = {} }: Record<string, Files>,
): Promise<(path: string) => string> {
  const main = { ...HONEST, ...onMain };
  const texts: Files = { ...main, ...onBranch };
  const theirs = listed(main);
  const own = new Map(
    [...listed(texts)].map(([path, it]) => [path, { ...it, tracking: 'tracked' as const }]),
  );
  const byId = new Map([...theirs].map(([path, { id }]) => [id, Buffer.from((main as Files)[path]!)]));
  const reader = { listFiles: async () => [...theirs.values()], readBlobs: async () => byId };
  const programs = await judgingPrograms([{ command, cwd: '.' }], '', reader);
  const files = Object.entries(patch).map(([path, text]) => ({
    ...{ path, isExecutable: false, content: Buffer.from(text) },
  }));
  const facts = decidingFacts({ theirs, own }, programs, {
    textOf: (path) => texts[path] ?? '',
    patch: files,
  });
  return (path) => decide(path, facts);
}

const SETUP = 'node --import ./test/setup.mjs --test';
const REGISTER = "if (existsSync('tools/local.mjs')) await import('./local.mjs');\n";
const MAKEFILE = '-include local.mk\ncheck:\n\tnode --test\n';
const RUN: Files = { 'test/run.mjs': "import './pick.mjs';\n", 'test/pick.mjs': '' };

/** The command that judges, what the default branch has, and a path that the branch or the patch changes or adds. */
const JUDGING: readonly (readonly [what: string, command: string, onMain: Files, path: string])[] = [
  [
    'is sourced if it exists',
    'sh tools/check.sh',
    { 'tools/check.sh': '[ -f tools/env.sh ] && . tools/env.sh\n' },
    'tools/env.sh',
  ],
  [
    'is sourced beside the script',
    'sh tools/check.sh',
    { 'tools/check.sh': '. "$DIR/more"\n' },
    'tools/more',
  ],
  [
    'is run by a pattern',
    'sh tools/check.sh',
    { 'tools/check.sh': 'for it in tools/*.sh; do . $it; done\n' },
    'tools/a.sh',
  ],
  ['make includes', 'make -s check', { Makefile: MAKEFILE }, 'local.mk'],
  ['make takes first', 'make -s check', { Makefile: MAKEFILE }, 'GNUmakefile'],
  ['sets variables', 'node --env-file-if-exists=.env --test', {}, '.env'],
  ['is set-up among tests', SETUP, { 'test/setup.mjs': '' }, 'test/setup.mjs'],
  [
    'is set-up by a variable',
    'NODE_OPTIONS=--import=./test/setup.mjs node --test',
    { 'test/setup.mjs': '' },
    'test/setup.mjs',
  ],
  [
    'set-up imports from sources',
    SETUP,
    { 'test/setup.mjs': "import '../lib/boot.mjs';\n", 'lib/boot.mjs': '' },
    'lib/boot.mjs',
  ],
  [
    'set-up imports from tests',
    SETUP,
    { 'test/setup.mjs': "import './boot.mjs';\n", 'test/boot.mjs': '' },
    'test/boot.mjs',
  ],
  [
    'set-up imports if it exists',
    'node -r ./tools/register.mjs --test',
    { 'tools/register.mjs': REGISTER },
    'tools/local.mjs',
  ],
  ['is the program', 'node test/run.mjs', RUN, 'test/run.mjs'],
  ['the program imports', 'node test/run.mjs', RUN, 'test/pick.mjs'],
  [
    'is the program after set-up',
    'node -r ./tools/register.mjs test/run.mjs',
    { ...RUN, 'tools/register.mjs': '' },
    'test/run.mjs',
  ],
];

describe('a file that', () => {
  test.each(JUDGING)("%s (%s) is the default branch's", async (_, command, onMain, path) => {
    const changed = { [path]: 'changed\n', 'src/a.js': 'changed\n' };
    const own = await decisions(command, { onMain, onBranch: changed });
    const patched = await decisions(command, { onMain, patch: changed });
    expect([own(path), patched(path)]).toEqual(['judge', 'judge']);
    // Negative control.
    expect([own('src/a.js'), patched('src/a.js')]).toEqual(['own', 'own']);
  });

  test.each<[what: string, command: string, onMain: Files, onBranch: Files, path: string]>([
    ['a test imports too', SETUP, { 'test/setup.mjs': "import '../src/a.js';\n" }, {}, 'src/a.js'],
    ['a test names', 'node --test', {}, { 'test/b.test.js': "spawnSync('tools/b.sh');\n" }, 'tools/b.sh'],
    [
      'an entry of the package imports',
      'node --test',
      {},
      { 'package.json': '{"main":"index.js"}', 'index.js': "import './tools/b.js';\n" },
      'tools/b.js',
    ],
    ['the runner has as a test', 'node --test test/b.mjs', { 'test/b.mjs': '' }, {}, 'test/b.mjs'],
    ['a new package has', 'node --test', {}, { 'tools/new/package.json': '{}' }, 'tools/new/run.sh'],
    ['is data that no check names', 'sh tools/check.sh', { 'tools/check.sh': '' }, {}, 'docs/words.txt'],
    ['is a document', 'sh tools/check.sh', { 'tools/check.sh': '' }, {}, 'LICENSE'],
    ['has no ending and is no program', 'sh tools/check.sh', { 'tools/check.sh': '' }, {}, 'Dockerfile'],
    ['has no ending, in a folder', 'node --test', {}, {}, 'deploy/nginx/Caddyfile'],
  ])("%s (%s) is the branch's", async (_, command, onMain, onBranch, path) => {
    const own = await decisions(command, { onMain, onBranch: { ...onBranch, [path]: 'branch\n' } });
    expect(own(path)).toBe('own');
  });
});

test('what a patch adds is judged if the patched source leads to it and no check does', async () => {
  const path = 'tools/new.js';
  const patch = { 'src/a.js': "import '../tools/new.js';\n", [path]: 'patch\n' };
  expect((await decisions('node --test', { patch }))(path)).toBe('own');
  expect((await decisions('node --test', { patch: { [path]: 'patch\n' } }))(path)).toBe('unread');
  const onMain = { 'tools/register.mjs': "await import('./new.js').catch(() => {});\n" };
  expect((await decisions('node -r ./tools/register.mjs --test', { onMain, patch }))(path)).toBe('judge');
});

test.each<[what: string, command: string, onMain: Files, path: string]>([
  [
    'imports a folder',
    'node --import ./tools/register.mjs --test',
    {
      'tools/register.mjs':
        "for (const f of fs.readdirSync(new URL('./setup.d/', import.meta.url))) await import(f);\n",
    },
    'tools/setup.d/zz.mjs',
  ],
  [
    'reads a folder by its name',
    'node tools/check.mjs',
    { 'tools/check.mjs': "for (const f of readdirSync('tools/rules')) await import(f);\n" },
    'tools/rules/zz.mjs',
  ],
  [
    'sources a folder',
    'sh tools/check.sh',
    { 'tools/check.sh': 'for f in conf/*; do . "$f"; done\n' },
    'conf/zz.sh',
  ],
])('a source of the patch cannot lead to a file of which a program %s', async (_, command, onMain, path) => {
  const patch = { 'src/a.js': `import '../${path}';\n`, [path]: 'patch\n' };
  expect((await decisions(command, { onMain, patch }))(path)).toBe('judge');
  // Negative controls: a folder that nobody reads, and a file that tests of the branch load.
  expect((await decisions('node --test', { onMain, patch }))(path)).toBe('own');
  const onBranch = { 'test/b.test.js': `import '../${path}';\n`, [path]: 'branch\n' };
  expect((await decisions(command, { onMain, onBranch }))(path)).toBe('own');
});

test('a file without an ending is a program by its place or by what it names', async () => {
  const decide = async (path: string, text: string) =>
    (await decisions('sh tools/check.sh', { onMain: { 'tools/check.sh': '' }, patch: { [path]: text } }))(
      path,
    );
  expect(await decide('Dockerfile', 'FROM node:24\n')).toBe('own');
  expect(await decide('setup', '#!/bin/sh\n')).toBe('unread');
  expect(await decide('tools/setup', 'PATH=.\n')).toBe('unread');
});

test('a patch may repair what a program imports, and a branch may not change it', async () => {
  const onMain = { 'tools/check.mjs': "import '../index.js';\n", 'index.js': '' };
  const changed = { 'index.js': 'changed\n' };
  expect((await decisions('node tools/check.mjs', { onMain, patch: changed }))('index.js')).toBe('own');
  expect((await decisions('node tools/check.mjs', { onMain, onBranch: changed }))('index.js')).toBe('judge');
});

test('a patch may repair what an inline program imports, and not a program that a command names', async () => {
  const [onMain, patch] = [{ 'index.js': '' }, { 'index.js': 'changed\n' }];
  const inline = `node -e "import('./index.js').then(({ add }) => process.exit(add(1, 2) === 3 ? 0 : 1))"`;
  expect((await decisions(inline, { onMain, patch }))('index.js')).toBe('own');
  expect((await decisions('node ./index.js', { onMain, patch }))('index.js')).toBe('judge');
});
