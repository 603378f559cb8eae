import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { carryDefaultBranch } from '../../src/ci/default-branch.ts';
import { NO_PATCH, withDefaultChecks, type JudgedPatch } from '../../src/ci/default-checks.ts';
import { exchangedPackage } from '../../src/ci/rules/judged-manifest.ts';
import type { ChangedContent } from '../../src/compose/evaluate-change.ts';
import { openRemoteDesk } from '../../src/platform/git/remote.ts';
import { commitAll, git, temporaryFolder, writeFiles, type Files } from '../support/repositories.ts';

const MANIFEST = {
  name: 'shop',
  scripts: { test: 'node scripts/check.mjs', lint: 'make lint' },
  devDependencies: { vitest: '^3.0.0' },
};
const MAIN: Files = {
  'package.json': MANIFEST,
  'scripts/check.mjs': `import './more.mjs';\n`,
  'scripts/more.mjs': '// main\n',
  'scripts/release.mjs': '// main\n',
  Makefile: 'lint:\n\tsh ci/lint.sh\n',
  'ci/lint.sh': 'echo main\n',
  'vite.config.ts': `export default { test: { setupFiles: ['./test/setup.ts'], alias: './src/alias.ts' } };\n`,
  'test/setup.ts': '// main\n',
  'test/a.test.ts': '// main\n',
  'src/alias.ts': '// main\n',
  'tsconfig.json': { extends: './config/base.json' },
  'config/base.json': { compilerOptions: { strict: true } },
};
const COMMANDS = ['npm test', 'npm run lint'].map((command) => ({ command, cwd: '.' }));

/** A clone at a branch that was made from main, with the plan's folder. */
async function branchOf(
  onBranch: Files,
  { onMain = MAIN, change }: { readonly onMain?: Files; readonly change?: (root: string) => void } = {},
): Promise<{ readonly root: string; readonly plan: string }> {
  const [bare, root, plan] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  git(bare, 'init', '--quiet', '--bare', '--initial-branch=main');
  git(root, 'init', '--quiet', '--initial-branch=main');
  writeFiles(root, onMain);
  commitAll(root);
  git(root, 'push', '--quiet', bare, 'main');
  writeFiles(root, onBranch);
  change?.(root);
  git(root, 'add', '--all', '--force');
  git(root, 'commit', '--quiet', '--allow-empty', '--message=branch');
  const desk = await openRemoteDesk({ url: bare, token: undefined });
  await carryDefaultBranch(desk, bare, plan);
  desk.close();
  return { root, plan };
}

type Branch = Awaited<ReturnType<typeof branchOf>>;

/** Texts of files while the checks of the default branch are in place; undefined: there is none. */
async function judgedFiles(
  { root, plan }: Branch,
  paths: readonly string[],
): Promise<Record<string, unknown>> {
  const found = await withDefaultChecks(root, plan, async (checks) => {
    expect(await checks.take(COMMANDS, NO_PATCH)).toMatchObject({ ok: true });
    return paths.map((path) => [
      path,
      existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined,
    ]);
  });
  expect(git(root, 'status', '--porcelain')).toBe('');
  if (typeof found === 'string') throw new Error(found);
  return Object.fromEntries(found) as Record<string, unknown>;
}

describe('the default branch decides', () => {
  const CHANGED = {
    'a program that a script runs': 'scripts/check.mjs',
    'what that program imports': 'scripts/more.mjs',
    'a Makefile that a script calls': 'Makefile',
    'a shell script that a Makefile runs': 'ci/lint.sh',
    'a configuration': 'tsconfig.json',
    'a file for set-up that a configuration names': 'test/setup.ts',
    'a configuration that another one extends': 'config/base.json',
  };
  const BROUGHT = {
    'of a higher precedence': 'vitest.config.ts',
    'of a test runner that the default branch does not have': '.mocharc.json',
    'of the package manager': '.npmrc',
    'in a folder of the default branch': 'src/tsconfig.json',
    'that is found in place of a named file': 'test/setup.js',
  };
  const REMOVED = 'vite.config.ts';
  const paths = [...Object.values(CHANGED), ...Object.values(BROUGHT), REMOVED];
  let main: Record<string, unknown>;
  let judged: Record<string, unknown>;
  beforeAll(async () => {
    main = await judgedFiles(await branchOf({}), paths);
    const onBranch = Object.fromEntries(paths.map((path) => [path, '{"branch":1}']));
    const change = (root: string): void => void rmSync(join(root, REMOVED));
    judged = await judgedFiles(await branchOf(onBranch, { change }), paths);
  });

  test.each(Object.entries(CHANGED))('on %s', (_, path) => {
    expect(judged[path]).toBe(main[path]);
    expect(main[path]).toEqual(expect.any(String));
  });

  test.each(Object.entries(BROUGHT))('that there is no file %s', (_, path) => {
    expect(judged).toHaveProperty([path], undefined);
  });

  test('on a file that the branch removed', () => {
    expect(judged[REMOVED]).toBe(MAIN[REMOVED]);
  });

  test('that there is none that the installation left and git does not track', async () => {
    const { root, plan } = await branchOf({});
    writeFiles(root, { 'vitest.config.mts': 'export default {};\n', 'dist/vitest.config.mts': '' });
    const there = await withDefaultChecks(root, plan, async () => [
      existsSync(join(root, 'vitest.config.mts')),
    ]);
    expect(there).toEqual([false]);
    expect(readFileSync(join(root, 'vitest.config.mts'), 'utf8')).toBe('export default {};\n');
  });

  test('on scripts and settings in package.json, and the branch on the package and what it needs', async () => {
    const own = {
      name: 'shop',
      exports: './src/index.js',
      scripts: { test: 'true', pretest: 'true' },
      vitest: { passWithNoTests: true },
      devDependencies: { vitest: '^3.0.0', left: '1.0.0' },
    };
    const found = await judgedFiles(await branchOf({ 'package.json': own }), ['package.json']);
    expect(JSON.parse(String(found['package.json']))).toEqual({
      ...own,
      scripts: MANIFEST.scripts,
      vitest: undefined,
    });
  });
});

describe('the branch decides', () => {
  const OWN = {
    'its tests': 'test/a.test.ts',
    'its sources, even if a configuration names them': 'src/alias.ts',
    'data for tests that looks like configuration': 'test/fixtures/tsconfig.json',
    'the configuration of a package that only it has': 'packages/new/tsconfig.json',
    'its lock file': 'package-lock.json',
  };
  let judged: Record<string, unknown>;
  beforeAll(async () => {
    const paths = Object.values(OWN);
    judged = await judgedFiles(
      await branchOf(Object.fromEntries(paths.map((path) => [path, '{"branch":1}']))),
      paths,
    );
  });

  test.each(Object.entries(OWN))('on %s', (_, path) => {
    expect(judged[path]).toBe('{"branch":1}');
  });
});

test('what the installation left is not there while the checks run, unless git ignores it or a test reads it', async () => {
  const onMain = { ...MAIN, Makefile: '-include local.mk\ncheck:\n', '.gitignore': 'dist\n' };
  const { root, plan } = await branchOf({ 'test/b.test.js': "read('words.txt')\n" }, { onMain });
  const left = ['GNUmakefile', 'local.mk', 'deep/loose.data', 'dist/built.js', 'words.txt'];
  writeFiles(root, Object.fromEntries(left.map((path) => [path, 'left\n'])));
  const there = await withDefaultChecks(root, plan, async (checks) => {
    await checks.take([{ command: 'make -s check', cwd: '.' }], NO_PATCH);
    return left.filter((path) => existsSync(join(root, path)));
  });
  expect(there).toEqual(['dist/built.js', 'words.txt']);
  expect(left.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('a patch may not change what the checks run, and must pass without a program that no test leads to', async () => {
  const { root, plan } = await branchOf({});
  const [source, run, loose] = ['src/a.ts', 'ci/lint.sh', 'ci/new.sh'].map((path) => ({
    ...{ path, isExecutable: false, content: Buffer.from('patch\n') },
  })) as [ChangedContent, ChangedContent, ChangedContent];
  const isAllowed = (path: string): boolean => path === 'ci/lint.sh';
  const taken = (await withDefaultChecks(root, plan, async (checks) => [
    await checks.take(COMMANDS, { files: [source, run], isAllowed: () => false }),
    await checks.take(COMMANDS, { files: [source, loose], isAllowed }),
    await checks.take(COMMANDS, { files: [source, run], isAllowed }),
  ])) as JudgedPatch[];
  expect(taken).toMatchObject([
    { ok: false, text: expect.stringContaining('changes "ci/lint.sh", which the checks') as string },
    { ok: true, files: [source, loose], unread: new Set(['ci/new.sh']), replaced: ['ci/new.sh'] },
    { ok: true, files: [source, run], unread: new Set() },
  ]);
});

describe('nothing is judged', () => {
  const run = ({ root, plan }: { readonly root: string; readonly plan: string }): Promise<unknown> =>
    withDefaultChecks(root, plan, async (checks) => {
      const taken = await checks.take(COMMANDS, NO_PATCH);
      return [taken.ok ? undefined : taken.text];
    });

  test('where a link leads out of the checkout, and nothing is written through it', async () => {
    const outside = temporaryFolder();
    const branch = await branchOf(
      {},
      {
        change: (root) => {
          git(root, 'rm', '-r', '--quiet', 'config');
          symlinkSync(outside, join(root, 'config'));
        },
      },
    );
    expect(await run(branch)).toContain('config is a folder on the default branch');
    expect(existsSync(join(outside, 'base.json'))).toBe(false);
    expect(lstatSync(join(branch.root, 'config')).isSymbolicLink()).toBe(true);
  });

  test('where a file of the default branch is too large to be carried, unless the branch has the same', async () => {
    const onMain = { ...MAIN, 'config/base.json': `{}${' '.repeat(1024 * 1024)}` };
    expect(await run(await branchOf({ 'config/base.json': '{}' }, { onMain }))).toContain('config/base.json');
    expect(await run(await branchOf({}, { onMain }))).toEqual([undefined]);
  });

  test.each([
    ['file:./fake', true],
    ['npm:fake@1.0.0', true],
    ['github:me/vitest', true],
    ['https://example.com/vitest.tgz', true],
    ['workspace:*', true],
    ['^4.0.0 || ~3.1', false],
    ['latest', false],
  ])('where a tool comes from elsewhere than a registry: %s', async (source, isRefused) => {
    const own = { ...MANIFEST, devDependencies: { vitest: source, left: 'file:./left' } };
    expect(exchangedPackage(JSON.stringify(MANIFEST), JSON.stringify(own)) !== undefined).toBe(isRefused);
    if (source === 'file:./fake')
      expect(await run(await branchOf({ 'package.json': own }))).toContain('takes vitest from "file:./fake"');
  });

  test('where the branch brings installed packages, unless they are data of a test', async () => {
    const fake = { 'node_modules/vitest/package.json': '{}' };
    expect(await run(await branchOf(fake))).toContain('brings node_modules/vitest/package.json');
    expect(await run(await branchOf({ 'test/fixtures/a/node_modules/vitest/package.json': '{}' }))).toEqual([
      undefined,
    ]);
    expect(await run(await branchOf({}, { onMain: { ...MAIN, ...fake } }))).toEqual([undefined]);
  });

  test('where the remote has no default branch', async () => {
    const { root } = await branchOf({});
    expect(await run({ root, plan: temporaryFolder() })).toContain('the remote has none');
  });
});
