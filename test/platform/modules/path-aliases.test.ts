import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAliasResolver } from '../../../src/platform/modules/path-aliases.ts';
import { createRepo } from '../../support/repair-repo.ts';

/** Paths relative to the root that an import in `importer` resolves to. */
function resolved(files: Record<string, string>, importer: string, specifier: string): string[] {
  const root = realpathSync(createRepo(files));
  return createAliasResolver(root)(join(root, importer), specifier).map((path) => relative(root, path));
}

const BASE =
  '{ "compilerOptions": { "paths": { "#lib/*": ["../lib/*", "../vendor/*"], "exact": ["./one.ts"] } } }';

describe('createAliasResolver', () => {
  it.each([
    ['a wildcard, with all its targets', '#lib/a/b', ['lib/a/b', 'vendor/a/b']],
    ['an exact name', 'exact', ['config/one.ts']],
    ['no other import', 'lodash', []],
  ])('resolves paths inherited by extends relative to their own file: %s', (_, specifier, paths) => {
    const files = {
      'config/base.json': BASE,
      'config/middle.json': '{ "extends": "./base.json" }',
      'packages/app/tsconfig.json': '{ "extends": "../../config/middle.json", "include": ["src"] }',
    };
    expect(resolved(files, 'packages/app/src/a.ts', specifier)).toEqual(paths);
  });

  it('reads comments, trailing commas and baseUrl', () => {
    const config =
      '{ /* aliases */ "compilerOptions": { "baseUrl": "./code", "paths": { "#x/*": ["./*"], }, }, } // end';
    expect(resolved({ 'tsconfig.json': config }, 'src/a.ts', '#x/b')).toEqual(['code/b']);
  });

  it('reads jsconfig.json, and prefers the nearest configuration with paths', () => {
    const files = {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "#x": ["./far.ts"], "#far": ["./far.ts"] } } }',
      'web/jsconfig.json': '{ "compilerOptions": { "paths": { "#x": ["./near.ts"] } } }',
      'web/src/tsconfig.json': '{ "compilerOptions": { "strict": true } }',
    };
    expect(resolved(files, 'web/src/a.ts', '#x')).toEqual(['web/near.ts']);
    expect(resolved(files, 'web/src/a.ts', '#far')).toEqual([]);
    expect(resolved(files, 'src/a.ts', '#x')).toEqual(['far.ts']);
  });

  it('resolves @/ and ~/ to src without a configuration, or with one that cannot be read', () => {
    expect(resolved({}, 'test/a.ts', '@/cart')).toEqual(['src/cart']);
    expect(resolved({ 'tsconfig.json': '{ "extends": "./missing.json" }' }, 'a.ts', '~/cart')).toEqual([
      'src/cart',
    ]);
  });
});
