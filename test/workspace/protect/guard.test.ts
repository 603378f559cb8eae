import { existsSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tampering } from '../../../src/schema/generated.ts';
import { createGuard } from '../../../src/workspace/protect/guard.ts';
import {
  fingerprint,
  openWorkspace,
  read,
  temporaryFolder,
  temporaryRepository,
  write,
  type Files,
} from '../temporary-repository.ts';

const PROJECT: Files = {
  'package.json': '{\n  "name": "x",\n  "scripts": { "test": "vitest run" }\n}\n',
  'package-lock.json': '{}\n',
  'vitest.config.ts': 'export default {}\n',
  'tsconfig.json': '{}\n',
  '.gitignore': 'node_modules\ndist/\n.env\n*.local\n',
  'src/a.ts': 'a\n',
  'src/a.test.ts': 'expect(1)\n',
  'src/__snapshots__/a.test.ts.snap': 'snap\n',
  'test/data/golden.json': '{}\n',
  'test/helper.ts': 'help\n',
  'setup/deep/env.ts': 'setup\n',
};

async function guarded(
  act: (root: string) => void,
  options: {
    protect?: string[];
    allow?: string[];
    extra?: string[];
    files?: Files;
    mayAddPackages?: boolean;
  } = {},
) {
  const root = temporaryRepository({ ...PROJECT, ...options.files });
  write(root, { '.env': 'A=1\n' });
  const { workspace, snapshots } = await openWorkspace(root);
  const before = fingerprint(workspace.root);
  act(workspace.root);
  const guard = createGuard({
    snapshots,
    workspace,
    protect: options.protect ?? [],
    allow: options.allow ?? [],
    mayAddPackages: options.mayAddPackages,
    testFiles: () => options.extra ?? [],
  });
  const tampering = await guard.restoreProtected();
  return { root: workspace.root, before, after: fingerprint(workspace.root), tampering, guard };
}

function kinds(tampering: readonly Tampering[]): string[] {
  return tampering.map(({ kind, file }) => `${kind} ${file}`);
}

describe('the guard', () => {
  test('reports nothing for honest work', async () => {
    const { tampering, after, before } = await guarded((root) => {
      write(root, {
        'src/a.ts': 'fixed\n',
        'src/b.ts': 'new\n',
        'src/b.test.ts': 'new test\n',
        'test/c.test.ts': 'new test\n',
        'test/data/new.json': '{}\n',
        'packages/new/package.json': '{"name":"new"}\n',
        'packages/new/index.ts': '1\n',
        '.env.example': 'A=\n',
        '.gitignore': 'node_modules\ndist/\n.env\n*.local\ncoverage/\n',
        'coverage/package.json': '{}\n',
        'package.json':
          '{\n  "name": "x",\n  "version": "2.0.0",\n  "scripts": { "test": "vitest run" },\n  "license": "MIT"\n}\n',
      });
    });
    expect(tampering).toEqual([]);
    expect(Object.keys(after).length).toBe(Object.keys(before).length + 8);
  });

  test.each([
    ['src/a.test.ts', 'protected_edited'],
    ['src/__snapshots__/a.test.ts.snap', 'protected_edited'],
    ['test/data/golden.json', 'protected_edited'],
    ['test/helper.ts', 'protected_edited'],
    ['vitest.config.ts', 'protected_edited'],
    ['tsconfig.json', 'protected_edited'],
    ['package-lock.json', 'protected_edited'],
  ])('restores an edited %s', async (path, kind) => {
    const { tampering, after, before } = await guarded((root) => write(root, { [path]: 'tampered\n' }));
    expect(kinds(tampering)).toEqual([`${kind} ${path}`]);
    expect(tampering[0]!.detail).toMatch(/^.+ was edited.* restored\.$/);
    expect(after).toEqual(before);
  });

  test('restores dependencies and lock file together, and neither if both are allowed', async () => {
    const text =
      '{\n  "name": "x",\n  "scripts": { "test": "vitest run" },\n  "dependencies": { "y": "1" }\n}\n';
    const add = (root: string): void =>
      write(root, { 'package.json': text, 'package-lock.json': '{ "y": 1 }\n' });
    const { tampering, before, after } = await guarded(add);
    expect(kinds(tampering)).toEqual(['protected_edited package-lock.json', 'manifest_edited package.json']);
    expect(after).toEqual(before);
    const allowed = await guarded(add, { allow: ['package.json', 'package-lock.json'] });
    expect(allowed.tampering).toEqual([]);
    expect(read(allowed.root, 'package.json')).toBe(text);
  });

  test('lets packages be added to both where that is allowed, and nothing else', async () => {
    const manifest = (more: object): string =>
      JSON.stringify({ name: 'x', scripts: { test: 'vitest run' }, ...more });
    const lock = (version: string): string => `a "${version}"\n`;
    const files = { 'yarn.lock': lock('1.0.0'), 'package.json': manifest({ dependencies: { a: '1.0.0' } }) };
    const change = (dependencies: object, text: string, more: object = {}) =>
      guarded(
        (root) => write(root, { 'package.json': manifest({ dependencies, ...more }), 'yarn.lock': text }),
        {
          files,
          mayAddPackages: true,
        },
      );
    const added = { a: '1.0.0', b: '2.0.0' };
    const more = await change(added, `${lock('1.0.0')}b "2.0.0"\n`);
    expect(more.tampering).toEqual([]);
    expect(read(more.root, 'package.json')).toBe(manifest({ dependencies: added }));
    const other = await change({ a: '2.0.0', b: '2.0.0' }, lock('2.0.0'));
    expect(kinds(other.tampering)).toEqual(['manifest_edited package.json', 'protected_edited yarn.lock']);
    const script = await change(added, lock('1.0.0'), { scripts: { test: 'true' } });
    expect(kinds(script.tampering)).toEqual(['manifest_edited package.json']);
    expect(script.tampering[0]!.detail).toMatch(/had scripts changed/);
  });

  test.each(['src/a.test.ts', 'test/helper.ts', 'tsconfig.json', 'package.json'])(
    'restores a deleted %s',
    async (path) => {
      const { tampering, after, before } = await guarded((root) => rmSync(join(root, path)));
      expect(kinds(tampering)).toEqual([`protected_deleted ${path}`]);
      expect(after).toEqual(before);
    },
  );

  test.each([
    'vitest.config.mts',
    'src/vitest.workspace.ts',
    'src/tsconfig.json',
    'src/.eslintrc.json',
    'eslint.config.js',
    '.npmrc',
    '.env.test',
    'src/__mocks__/a.ts',
    'src/package.json',
    'setup/package.json',
    'ralph.config.json',
    '.aiwg/notes.md',
  ])('removes a new %s', async (path) => {
    const { tampering, after, before } = await guarded((root) => write(root, { [path]: '{}\n' }));
    expect(kinds(tampering)).toEqual([`protected_added ${path}`]);
    expect(after).toEqual(before);
  });

  test('finds new configuration that the repository’s or the actor’s ignore rules hide', async () => {
    const { tampering, root } = await guarded((root) => {
      write(root, {
        'vitest.config.mts.local': 'no configuration\n',
        '.npmrc': 'script-shell=/bin/true\n',
        'hidden/vitest.config.ts': '1\n',
        '.gitignore': 'node_modules\ndist/\n.env\n*.local\n.npmrc\nhidden/\n',
      });
    });
    expect(kinds(tampering).sort()).toEqual([
      'protected_added .npmrc',
      'protected_added hidden/vitest.config.ts',
    ]);
    expect(existsSync(join(root, '.npmrc'))).toBe(false);
    expect(existsSync(join(root, 'hidden/vitest.config.ts'))).toBe(false);
  });

  test('keeps build products in ignored folders', async () => {
    const { tampering, root } = await guarded((root) => write(root, { 'dist/package.json': '{}\n' }));
    expect(tampering).toEqual([]);
    expect(existsSync(join(root, 'dist/package.json'))).toBe(true);
  });

  test('restores carried files and dependencies', async () => {
    const { root, tampering } = await guarded((root) => write(root, { '.env': 'A=forged\n' }));
    expect(read(root, '.env')).toBe('A=1\n');
    expect(tampering).toEqual([]);
  });

  test('restores the scripts of a package.json and keeps its other new keys', async () => {
    const { root, tampering } = await guarded((root) =>
      write(root, {
        'package.json': '{\n  "name": "x",\n  "scripts": { "test": "exit 0" },\n  "license": "MIT"\n}\n',
      }),
    );
    expect(kinds(tampering)).toEqual(['manifest_edited package.json']);
    expect(tampering[0]!.detail).toContain('scripts');
    expect(JSON.parse(read(root, 'package.json'))).toEqual({
      name: 'x',
      scripts: { test: 'vitest run' },
      license: 'MIT',
    });
  });

  test('restores a file and a folder that were replaced by a symbolic link', async () => {
    const elsewhere = temporaryFolder();
    write(elsewhere, { 'helper.ts': 'fake\n', 'data/golden.json': 'fake\n' });
    const { root, tampering, after, before } = await guarded((root) => {
      write(root, { 'src/a.test.ts': { to: 'a.ts' }, test: { to: elsewhere } });
    });
    expect(kinds(tampering)).toEqual([
      'protected_edited src/a.test.ts',
      'protected_deleted test/data/golden.json',
      'protected_deleted test/helper.ts',
    ]);
    expect(tampering[0]!.detail).toContain('symbolic link');
    expect(after).toEqual(before);
    expect(lstatSync(join(root, 'test')).isDirectory()).toBe(true);
    expect(read(elsewhere, 'helper.ts')).toBe('fake\n');
  });

  test('restores a protected file that became a folder', async () => {
    const { after, before } = await guarded((root) => write(root, { 'vitest.config.ts/index.ts': '1\n' }));
    expect(after).toEqual(before);
  });

  test('protects files that the user and the checks name', async () => {
    const { tampering } = await guarded(
      (root) => write(root, { 'setup/deep/env.ts': '2\n', 'api/v1.ts': '2\n', 'api/v2.ts': '2\n' }),
      { protect: ['api'], extra: ['setup/deep/env.ts'], files: { 'api/v1.ts': '1\n' } },
    );
    expect(kinds(tampering)).toEqual([
      'protected_edited api/v1.ts',
      'protected_added api/v2.ts',
      'protected_edited setup/deep/env.ts',
    ]);
  });

  test('permits every change to allowed files', async () => {
    const { tampering, root } = await guarded(
      (root) => {
        write(root, {
          'tsconfig.json': '{"a":1}\n',
          'src/a.test.ts': '2\n',
          'src/tsconfig.json': '{}\n',
          'src/package.json': '{}\n',
          'package.json': '{ "scripts": {} }\n',
          'dist/.npmrc': '',
          '.npmrc': 'x=1\n',
        });
        rmSync(join(root, 'test/helper.ts'));
      },
      { allow: ['tsconfig.json', '**/*.test.ts', 'package.json', 'test/**', '.npmrc'] },
    );
    expect(tampering).toEqual([]);
    expect(read(root, 'tsconfig.json')).toBe('{"a":1}\n');
    expect(existsSync(join(root, 'test/helper.ts'))).toBe(false);
  });

  test('reports a change only once', async () => {
    const { guard } = await guarded((root) => write(root, { 'src/a.test.ts': '2\n', '.npmrc': 'x=1\n' }));
    expect(await guard.restoreProtected()).toEqual([]);
  });
});

describe('new code beside code of the base', () => {
  const files: Files = {
    'src/cart/index.js': 'old\n',
    'src/sum.js': 'old\n',
    'src/rate.ts': 'old\n',
    'test/cart.test.js': "import '../src/cart';\nimport '../src/sum';\nimport '../src/rate.js';\n",
  };

  test.each(['src/cart.js', 'src/cart.mjs', 'src/cart/index.mjs', 'src/sum.mjs', 'src/sum', 'src/rate.js'])(
    'is removed where an import would find %s first',
    async (path) => {
      const { tampering } = await guarded((root) => write(root, { [path]: 'new\n' }), { files });
      expect(kinds(tampering)).toEqual([`protected_added ${path}`]);
    },
  );

  test.each(['src/cart/line.js', 'src/rate.d.ts', 'src/a.mts', 'src/sum.css', 'src/other'])(
    'stays where no import would find %s first',
    async (path) => {
      const { tampering } = await guarded((root) => write(root, { [path]: 'new\n' }), { files });
      expect(tampering).toEqual([]);
    },
  );

  test('stays in place of code that was removed, and where it is allowed', async () => {
    const moved = await guarded(
      (root) => {
        rmSync(join(root, 'src/sum.js'));
        write(root, { 'src/sum.mjs': 'new\n' });
      },
      { files },
    );
    expect(moved.tampering).toEqual([]);
    const allowed = await guarded((root) => write(root, { 'src/sum.mjs': 'new\n' }), {
      files,
      allow: ['src/sum.mjs'],
    });
    expect(allowed.tampering).toEqual([]);
  });

  test.each(['test/helper.js', 'test/helper/index.ts', 'test/data/golden.js'])(
    'is removed where a test would find %s in place of a guarded file',
    async (path) => {
      const { tampering } = await guarded((root) => write(root, { [path]: 'new\n' }));
      expect(kinds(tampering)).toEqual([`protected_added ${path}`]);
    },
  );
});

describe('the examined tree', () => {
  test.each<[string, Files, boolean]>([
    ['is the one of honest work', { 'src/a.ts': 'fixed\n' }, true],
    ['is unknown where a file was restored', { 'vitest.config.ts': 'x\n' }, false],
    ['is unknown where an ignored file was removed', { '.env.local': 'x\n' }, false],
  ])('%s', async (_, files, isKnown) => {
    const { guard } = await guarded((root) => write(root, files));
    expect(guard.examined!() !== undefined).toBe(isKnown);
  });
});
