import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installChanged } from '../../../src/workspace/dependencies/install-changed.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const OWN = { name: 'own', version: '1.0.0' };
const PAD = { 'vendor/pad/package.json': { name: 'pad', version: '1.0.0' }, 'vendor/pad/index.js': '' };

function lockOf(packages: object): object {
  return { ...OWN, lockfileVersion: 3, requires: true, packages: { '': OWN, ...packages } };
}

/** A checkout whose lockfile lists these packages, and a repository with another one. */
function changed(packages: object, dependencies: object): { repository: string; root: string } {
  const [repository, root] = [temporaryFolder(), temporaryFolder()];
  writeFiles(repository, { 'package.json': OWN, 'package-lock.json': lockOf({}) });
  const own = { ...OWN, dependencies };
  const lock = { ...OWN, lockfileVersion: 3, requires: true, packages: { '': own, ...packages } };
  writeFiles(root, { ...PAD, 'package.json': own, 'package-lock.json': lock });
  return { repository, root };
}

const LINKED = {
  'node_modules/pad': { resolved: 'vendor/pad', link: true },
  'vendor/pad': { version: '1.0.0' },
};

test('a lockfile that a change brings is installed in the checkout alone', async () => {
  const asked = changed(LINKED, { pad: 'file:vendor/pad' });
  expect(await installChanged(asked)).toBe(true);
  expect(readFileSync(join(asked.root, 'node_modules/pad/package.json'), 'utf8')).toContain('pad');
  expect(existsSync(join(asked.repository, 'node_modules'))).toBe(false);
});

test("the user's lockfile is not installed again", async () => {
  const { root } = changed(LINKED, { pad: 'file:vendor/pad' });
  expect(await installChanged({ repository: root, root })).toBe(false);
  expect(existsSync(join(root, 'node_modules'))).toBe(false);
});

test.each([
  ['a folder outside', { 'node_modules/pad': { resolved: '../pad', link: true } }],
  ['a package without a checksum', { 'node_modules/pad': { resolved: 'https://x.invalid/pad.tgz' } }],
  ['a repository of git', { 'node_modules/pad': { resolved: 'git+ssh://git@x.invalid/pad.git' } }],
  ['an absolute path', { 'node_modules/pad': { resolved: `file:${process.execPath}` } }],
  [
    'a package that no cache has',
    {
      'node_modules/pad': {
        version: '9.9.9',
        resolved: 'https://registry.npmjs.org/pad/-/pad-9.9.9.tgz',
        integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
      },
    },
  ],
])('a lockfile with %s is not installed', async (_, packages) => {
  const asked = changed(packages, { pad: '*' });
  expect(await installChanged(asked)).toBe(false);
  expect(existsSync(join(asked.root, 'node_modules'))).toBe(false);
});
