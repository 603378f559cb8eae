import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emitsFiles } from '../../../src/checks/detect/tsconfig.ts';
import { listProjects } from '../../../src/checks/tools/tsconfig-projects.ts';
import { temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

const SOLUTION =
  '{\n  // a solution\n  "files": [],\n  "references": [{ "path": "./a" }, { "path": "b/tsconfig.json" },],\n}\n';
const BASE_PACKAGE: Files = { 'node_modules/base/package.json': { name: 'base', version: '1.0.0' } };

function projectsOf(files: Files, ...configs: string[]): { built: string[]; checked: string[] } {
  const root = temporaryFolder();
  writeFiles(root, files);
  const { built, checked } = listProjects(configs.map((config) => join(root, config)));
  const inRoot = (paths: readonly string[]): string[] => paths.map((path) => path.slice(root.length + 1));
  return { built: inRoot(built), checked: inRoot(checked) };
}

describe('listProjects', () => {
  it('replaces a solution by the projects that it refers to', () => {
    const files = { 'tsconfig.json': SOLUTION, 'a/tsconfig.json': '{}', 'b/tsconfig.json': '{}' };
    expect(projectsOf(files, '.')).toEqual({
      built: [],
      checked: ['a/tsconfig.json', 'b/tsconfig.json'],
    });
  });

  it('replaces a solution whose empty list of files is inherited from a package', () => {
    const files: Files = {
      ...BASE_PACKAGE,
      'node_modules/base/solution.json': { files: [] },
      'tsconfig.json': { extends: 'base/solution.json', references: [{ path: './a' }] },
      'a/tsconfig.json': {},
    };
    expect(projectsOf(files, 'tsconfig.json').checked).toEqual(['a/tsconfig.json']);
  });

  it('builds the references of a project that has files of its own', () => {
    const files: Files = {
      'tsconfig.json': { include: ['src'], references: [{ path: './a' }] },
      'a/tsconfig.json': {},
    };
    expect(projectsOf(files, '.')).toEqual({ built: ['a/tsconfig.json'], checked: ['tsconfig.json'] });
  });

  it('ends for projects that refer to each other', () => {
    const files: Files = {
      'a/tsconfig.json': { references: [{ path: '../b' }] },
      'b/tsconfig.json': { references: [{ path: '../a' }] },
    };
    expect(projectsOf(files, 'a').built).toEqual(['b/tsconfig.json', 'a/tsconfig.json']);
  });

  it.each(['missing.json', 'broken.json'])('keeps %s as a project, so that tsc reports the error', (name) => {
    expect(projectsOf({ 'broken.json': '{ "extends": "./nowhere.json" }' }, name).checked).toEqual([name]);
  });
});

describe('emitsFiles', () => {
  it.each([
    ['noEmit in the file', { compilerOptions: { noEmit: true } }, false],
    ['noEmit in an extended file', { extends: './base' }, false],
    ['noEmit in an extended package', { extends: 'base/check.json' }, false],
    ['noEmit turned off again', { extends: './base', compilerOptions: { noEmit: false } }, true],
    ['no setting', {}, true],
  ])('for %s (%j) is %s', (_, tsconfig, expected) => {
    const root = temporaryFolder();
    writeFiles(root, {
      ...BASE_PACKAGE,
      'node_modules/base/check.json': { compilerOptions: { noEmit: true } },
      'base.json': { compilerOptions: { noEmit: true } },
      'tsconfig.json': tsconfig,
    });
    expect(emitsFiles([], root)).toBe(expected);
  });
});
