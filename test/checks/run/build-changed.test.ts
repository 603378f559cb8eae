import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect, test } from 'vitest';
import { programFile } from '../../../src/platform/package-files.ts';
import { repositoryWith, writeFiles } from '../../support/repositories.ts';

const BUILD = 'cp src/index.js dist/index.js && echo built >> log.txt';

function setting() {
  const root = repositoryWith({ '.gitignore': 'dist\nlog.txt\n', 'a/src/index.js': '1\n' });
  writeFiles(root, { 'a/dist/index.js': '1\n', 'a/log.txt': '' });
  const run = (command = BUILD): number | undefined =>
    execaSync('node', [programFile('checks/run/build-changed'), 'a', 'dist', command], {
      cwd: root,
      reject: false,
    }).exitCode;
  const built = (): number => readFileSync(join(root, 'a/log.txt'), 'utf8').split('\n').length - 1;
  const write = (text: string): void => writeFileSync(join(root, 'a/src/index.js'), text);
  const output = (): string => readFileSync(join(root, 'a/dist/index.js'), 'utf8');
  return { root, run, built, write, output };
}

test('a package is built when its files change, also when they change back, and not before', () => {
  const { run, built, write, output } = setting();
  expect([run(), built()]).toEqual([0, 0]);
  write('2\n');
  expect([run(), built(), output()]).toEqual([0, 1, '2\n']);
  expect([run(), built()]).toEqual([0, 1]);
  write('1\n');
  expect([run(), built(), output()]).toEqual([0, 2, '1\n']);
});

test('an output that was put back is not taken for the one that was built', () => {
  const { root, run, built, write, output } = setting();
  write('2\n');
  run();
  writeFileSync(join(root, 'a/dist/index.js'), '1\n');
  expect([run(), built(), output()]).toEqual([0, 2, '2\n']);
});

test('a failed build is the result, and is tried again', () => {
  const { run, built, write } = setting();
  write('2\n');
  expect(run('exit 3')).toBe(3);
  expect([run(), built()]).toEqual([0, 1]);
});
