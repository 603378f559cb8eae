import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolEnvironment } from '../../../src/platform/processes/tool-environment.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

describe('the environment of a tool', () => {
  it('has the binaries of inner folders first, each folder once', () => {
    const root = temporaryFolder();
    const inner = join(root, 'packages', 'a');
    const { PATH = '' } = toolEnvironment([inner, root, root], { PATH: '/usr/bin' });
    expect(PATH.split(delimiter)).toEqual([
      join(inner, 'node_modules', '.bin'),
      join(root, 'node_modules', '.bin'),
      '/usr/bin',
    ]);
  });

  it('names no folder of Corepack in a repository of Yarn, which would start itself from there', () => {
    const root = temporaryFolder();
    const inner = join(root, 'packages', 'a');
    writeFiles(root, { 'packages/a/package.json': '{}' });
    expect(toolEnvironment([inner])).toHaveProperty('COREPACK_ROOT');
    writeFiles(root, { 'yarn.lock': '' });
    expect(toolEnvironment([inner])).not.toHaveProperty('COREPACK_ROOT');
    writeFiles(root, { 'packages/a/.git/HEAD': '' });
    expect(toolEnvironment([inner])).toHaveProperty('COREPACK_ROOT');
  });

  it('finds plugins that pnpm hoists before those on the NODE_PATH of the user', () => {
    const root = temporaryFolder();
    expect(toolEnvironment([root], { NODE_PATH: '/mine' })).toHaveProperty('NODE_PATH', '/mine');
    writeFiles(root, { 'node_modules/.pnpm/node_modules/plugin/index.js': '' });
    const hoisted = join(root, 'node_modules', '.pnpm', 'node_modules');
    expect(toolEnvironment([root], { NODE_PATH: '/mine' })).toHaveProperty(
      'NODE_PATH',
      [hoisted, '/mine'].join(delimiter),
    );
  });
});
