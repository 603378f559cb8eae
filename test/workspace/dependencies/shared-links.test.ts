import { linkSync, lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linkDependencies } from '../../../src/workspace/dependencies/link.ts';
import { temporaryFolder, write } from '../temporary-repository.ts';

const PACKAGES = ['node_modules/dep', 'node_modules/tool', 'node_modules/.bin/dep'];

/** A repository with installed packages, and a workspace that links to them. */
function linked() {
  const repository = temporaryFolder();
  write(repository, {
    'node_modules/dep/index.js': 'dep\n',
    'node_modules/tool/index.js': 'tool\n',
    'node_modules/.bin/dep': { to: '../dep/index.js' },
  });
  const request = { repository, files: [], folders: ['node_modules'] };
  const first = temporaryFolder();
  linkDependencies({ ...request, workspace: first });
  return { request, first };
}

describe.runIf(process.platform === 'linux')('links that another workspace has', () => {
  test('get a second name, and are removed alone', () => {
    const { request, first } = linked();
    const second = temporaryFolder();
    const { count } = linkDependencies({ ...request, workspace: second, alike: first });
    expect(count).toBe(PACKAGES.length);
    for (const path of PACKAGES) {
      expect(readlinkSync(join(second, path))).toBe(readlinkSync(join(first, path)));
      expect(lstatSync(join(second, path)).ino).toBe(lstatSync(join(first, path)).ino);
    }
    rmSync(join(second, 'node_modules'), { recursive: true });
    expect(readFileSync(join(first, 'node_modules/dep/index.js'), 'utf8')).toBe('dep\n');
  });

  test.each([
    ['a file', (at: string) => writeFileSync(at, 'of a program\n')],
    ['a link to elsewhere', (at: string) => write(join(at, '..'), { dep: { to: '/tmp' } })],
    ['a folder', (at: string) => write(join(at, '..'), { 'dep/index.js': 'of a program\n' })],
    ['nothing', () => {}],
  ])('are made anew where a program put %s in their place', (_, put) => {
    const { request, first } = linked();
    const path = join(first, 'node_modules/dep');
    const right = readlinkSync(path);
    rmSync(path);
    put(path);
    const second = temporaryFolder();
    linkDependencies({ ...request, workspace: second, alike: first });
    expect(readlinkSync(join(second, 'node_modules/dep'))).toBe(right);
  });

  test('are made anew over the file that a program put in their place, which stays', () => {
    const { request, first } = linked();
    const path = join(first, 'node_modules/dep');
    rmSync(path);
    writeFileSync(join(first, 'own'), 'of a program\n');
    linkSync(join(first, 'own'), path);
    const second = temporaryFolder();
    linkDependencies({ ...request, workspace: second, alike: first });
    expect(lstatSync(join(second, 'node_modules/dep')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('of a program\n');
  });

  test('are made anew where there is no other workspace', () => {
    const { request } = linked();
    const second = temporaryFolder();
    linkDependencies({ ...request, workspace: second, alike: join(second, 'missing') });
    expect(PACKAGES.every((path) => lstatSync(join(second, path)).isSymbolicLink())).toBe(true);
  });
});
