import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { requireOwnPackages } from '../../src/fleet/worker/own-packages.ts';
import { repositoryWith, temporaryFolder } from '../support/repositories.ts';

function repository(link: string, target: string): string {
  const root = repositoryWith({ 'package.json': {}, 'packages/a/package.json': { name: 'a' } });
  mkdirSync(dirname(join(root, link)), { recursive: true });
  symlinkSync(target, join(root, link));
  return root;
}

const OTHER = temporaryFolder();
writeFileSync(join(OTHER, 'package.json'), '{}');

it.each([
  'node_modules',
  'node_modules/x',
  'node_modules/@scope/x',
  'node_modules/.bin/x',
  'packages/a/node_modules/x',
])('a job whose %s leads to another folder of the worker is not run', async (link) => {
  await expect(requireOwnPackages(repository(link, OTHER))).rejects.toMatchObject({
    code: 'no_dependencies',
    message: expect.stringContaining(`${link} leads to ${OTHER}`) as string,
  });
});

it.each([
  ['node_modules/a', '../packages/a'],
  ['node_modules/x', '/no/such/folder'],
  ['node_modules/.bin/a', '../../packages/a/package.json'],
  ['other', OTHER],
])('a job whose %s leads to %s is run', async (link, target) => {
  await requireOwnPackages(repository(link, target));
});
