import { expect, it } from 'vitest';
import { installCommandOf } from '../../../bench/datasets/install-command.ts';
import { temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

it.each<[string, Files, string]>([
  ['npm with a lockfile', { 'package-lock.json': '{}' }, 'npx --yes npm@10 ci'],
  [
    'pnpm that package.json names',
    { 'package.json': { packageManager: 'pnpm@8.6.0' } },
    'npx --yes pnpm@8.6.0 install',
  ],
  [
    'Yarn by its lockfile',
    { 'yarn.lock': '# yarn lockfile v1\n' },
    'npx --yes yarn@1 install --frozen-lockfile',
  ],
])('runs %s by npx where it is not on the PATH', (_, files, command) => {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': '{}', ...files });
  expect(installCommandOf(root, '/nonexistent')).toBe(command);
});

it('runs a package manager on the PATH by itself', () => {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': '{}', 'package-lock.json': '{}', 'bin/npm': '' });
  expect(installCommandOf(root, `${root}/bin`)).toBe('npm ci');
});
