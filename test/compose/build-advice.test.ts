import { describe, expect, it } from 'vitest';
import { buildAdvice } from '../../src/compose/build-advice.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

const CORE = {
  name: '@a/core',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  scripts: { build: 'tsup' },
};

function adviceFor(line: string, files: Parameters<typeof writeFiles>[1] = {}): string | undefined {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { workspaces: ['packages/*'], scripts: { build: 'turbo run build' } },
    'packages/core/package.json': CORE,
    'packages/next/package.json': { ...CORE, name: '@a/next' },
    ...files,
  });
  const plan = { packageDir: '.', packageManager: { name: 'pnpm', installCommand: 'pnpm install' } };
  return buildAdvice({ repository: { root }, plan } as unknown as Parameters<typeof buildAdvice>[0], [line]);
}

const FAILED = 'Failed to resolve entry for package "@a/core". The package may have incorrect main.';

describe('advice on packages of the workspace that are not built', () => {
  it('names the build of the root', () => {
    expect(adviceFor(FAILED)).toBe('@a/core is in this workspace and not built: pnpm run build builds it.');
    expect(adviceFor(`Cannot find module '@a/core/x', '@a/next'`)).toBe(
      '@a/core, @a/next are in this workspace and not built: pnpm run build builds them.',
    );
  });

  it('names four of many packages', () => {
    const names = ['b', 'c', 'd', 'e', 'f'];
    const files = Object.fromEntries(
      names.map((name) => [`packages/${name}/package.json`, { ...CORE, name }]),
    );
    const line = `Cannot find ${names.map((name) => `'${name}'`).join(', ')}`;
    expect(adviceFor(line, files)).toMatch(/^b, c, d, e and 1 more are in this workspace and not built: /);
  });

  it('names the build of the package where the root has none', () => {
    const files = { 'package.json': { workspaces: ['packages/*'] } };
    expect(adviceFor(FAILED, files)).toBe(
      '@a/core is in this workspace and not built: cd packages/core && pnpm run build builds it.',
    );
  });

  it('names the build of the root for a package without one, by its name and by the path of a file that is not built', () => {
    const files = { 'packages/core/package.json': { name: '@a/core', main: 'lib/index.js' } };
    const advice = '@a/core is in this workspace and not built: pnpm run build builds it.';
    expect(adviceFor(FAILED, files)).toBe(advice);
    const output = `TypeCheckError: Output file 'packages/core/lib/index.d.ts' has not been built from source file.`;
    expect(adviceFor(output, files)).toBe(advice);
    expect(adviceFor(output.replace('packages/core', 'packages/core-extra'), files)).toBeUndefined();
    expect(adviceFor(output, { ...files, 'packages/core/lib/index.js': '' })).toBeUndefined();
  });

  it.each([
    ['a package that is built', FAILED, { 'packages/core/dist/index.js': '' }],
    [
      'a package without a build',
      FAILED,
      {
        'package.json': { workspaces: ['packages/*'] },
        'packages/core/package.json': { ...CORE, scripts: {} },
      },
    ],
    ['a package elsewhere', `Cannot find module '@a/other'`, {}],
  ])('is not given for %s', (_, line, files) => {
    expect(adviceFor(line, files)).toBeUndefined();
  });
});
