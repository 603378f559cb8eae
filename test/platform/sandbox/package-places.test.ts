import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { packagePlaces } from '../../../src/platform/sandbox/package-places.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

/** A home with a repository, packages and other things in it. */
function makeHome(): string {
  const home = temporaryFolder();
  vi.stubEnv('HOME', home);
  writeFiles(home, {
    'package.json': '{}',
    '.keys/private': '',
    'other/node_modules/a/index.js': '',
    'shared/.package-lock.json': '{}',
    'tool/package.json': '{}',
    'tool/bin/cli.js': '',
    'notes/a.txt': '',
  });
  mkdirSync(join(home, 'work/repository'), { recursive: true });
  return home;
}

afterEach(() => void vi.unstubAllEnvs());

describe('a place that node_modules leads to', () => {
  it.each([
    ['a folder of the repository', 'work/repository/packages/a', true],
    ['a folder named node_modules', 'other/node_modules', true],
    ['a package in one', 'other/node_modules/a', true],
    ['a folder that a package manager wrote', 'shared', true],
    ['a package that is developed elsewhere', 'tool', true],
    ['a command of it', 'tool/bin/cli.js', true],
    ['a folder without a package', 'notes', false],
    ['a file of one', 'notes/a.txt', false],
    ['a hidden folder of a home that has a package.json', '.keys', false],
    ['a file of a home that has a package.json', '.keys/private', false],
    ['the home', '', false],
    ['a folder with the repository in it', 'work', false],
  ])('%s', (_what, path, expected) => {
    const home = makeHome();
    expect(packagePlaces([join(home, 'work/repository')])(join(home, path))).toBe(expected);
  });
});
