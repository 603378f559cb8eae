import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreignProgram } from '../../../src/workspace/protect/foreign-programs.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const SHIM = '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node  "$basedir/../one/run.js" "$@"\n';

/** A repository with two packages that have programs, made at a time after which everything counts. */
function installed(): string {
  const root = temporaryFolder();
  writeFiles(root, {
    'node_modules/one/package.json': { name: 'one', bin: { one: 'run.js' } },
    'node_modules/one/run.js': '',
    'node_modules/one/dist/package.json': { type: 'module' },
    'node_modules/one/dist/run.js': '',
    'node_modules/@x/two/package.json': { name: '@x/two', bin: 'run.js' },
    'node_modules/@x/two/run.js': '',
  });
  mkdirSync(join(root, 'node_modules/.bin'));
  return root;
}

function link(root: string, name: string, to: string): void {
  symlinkSync(to, join(root, 'node_modules/.bin', name));
}

function write(root: string, name: string, text: string): void {
  writeFiles(root, { [`node_modules/.bin/${name}`]: text });
  chmodSync(join(root, 'node_modules/.bin', name), 0o755);
}

describe('a program beside those of the packages', () => {
  it.each<[string, (root: string) => void, string]>([
    ['that is written by hand', (root) => write(root, 'node', '#!/bin/sh\nexit 0\n'), 'node'],
    ['that leads to a file of the repository', (root) => link(root, 'sh', '../../src/sh.js'), 'sh'],
    ['that leads out', (root) => link(root, 'node', '/bin/true'), 'node'],
    ['of a package that offers another one', (root) => link(root, 'tsc', '../one/run.js'), 'tsc'],
  ])('is found %s', (_, make, name) => {
    const root = installed();
    make(root);
    expect(foreignProgram(root, 'node_modules', 0)).toBe(`node_modules/.bin/${name}`);
    expect(foreignProgram(root, 'node_modules', Date.now() + 60_000)).toBeUndefined();
  });

  it.each<[string, (root: string) => void]>([
    ['links of npm', (root) => link(root, 'one', '../one/run.js')],
    ['links into a built folder', (root) => link(root, 'one', '../one/dist/run.js')],
    ['links to a package in a scope', (root) => link(root, 'two', '../@x/two/run.js')],
    ['programs of pnpm', (root) => write(root, 'one', SHIM)],
    ['programs for Windows', (root) => write(root, 'one.cmd', '@ECHO off\r\n')],
    ['no folder', () => undefined],
  ])('is none: %s', (_, make) => {
    const root = installed();
    make(root);
    expect(foreignProgram(root, 'node_modules', 0)).toBeUndefined();
  });
});
