import { describe, expect, it } from 'vitest';
import { standsAlone } from '../../../src/proof/replay/installed-copy.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

describe('a copy of a repository', () => {
  it.each([
    ['a single package', { 'package.json': { dependencies: { a: '^1.0.0' } } }, true],
    ['a monorepo of npm', { 'package.json': { workspaces: ['packages/*'] } }, false],
    ['a monorepo of pnpm', { 'package.json': {}, 'pnpm-workspace.yaml': 'packages: ["*"]\n' }, false],
    ['a dependency in a folder', { 'package.json': { dependencies: { a: 'file:lib' } } }, false],
    ['no package.json', {}, false],
  ])('of %s: whether it needs nothing of it', (_name, files, expected) => {
    const root = temporaryFolder();
    writeFiles(root, files);
    expect(standsAlone(root)).toBe(expected);
  });
});
