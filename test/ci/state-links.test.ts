import { lstatSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreDefaultBranch } from '../../src/ci/default-branch.ts';
import { git, repositoryWith, temporaryFolder, writeFiles } from '../support/repositories.ts';

const STATE = '.aiwg/ralph';

test.each([
  ['a file of the memory', `${STATE}/memory/playbook.md`, 'inside/playbook.md'],
  ['the folder of the memory', `${STATE}/memory`, 'inside'],
  ['the folder of the reflections', `${STATE}/reflections`, 'inside'],
  ['the state folder', STATE, 'inside'],
  ['its parent', '.aiwg', 'inside'],
])('a link that the branch commits is replaced and not followed, if %s is one', async (_, path, target) => {
  const root = repositoryWith({ 'inside/playbook.md': 'canary\n', [join(path, '..', 'keep')]: '' });
  symlinkSync(join(root, target), join(root, path));
  git(root, 'add', '--all', '--force');
  git(root, 'commit', '--quiet', '--message=link');
  const plan = temporaryFolder();
  writeFiles(plan, { [`default-branch/${STATE}/memory/playbook.md`]: 'of the default branch\n' });

  await restoreDefaultBranch(root, plan);

  expect(readFileSync(join(root, STATE, 'memory', 'playbook.md'), 'utf8')).toBe('of the default branch\n');
  const left = readdirSync(join(root, '.aiwg'), { recursive: true }).map(String);
  expect(left.filter((name) => lstatSync(join(root, '.aiwg', name)).isSymbolicLink())).toEqual([]);
  expect(readdirSync(join(root, 'inside'))).toEqual(['playbook.md']);
  expect(readFileSync(join(root, 'inside', 'playbook.md'), 'utf8')).toBe('canary\n');
});
