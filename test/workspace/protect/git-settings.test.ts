import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namedByGitSettings } from '../../../src/workspace/protect/git-settings.ts';
import { git, temporaryRepository } from '../temporary-repository.ts';

const rows: readonly (readonly [title: string, setting: (root: string) => string[], named: string[]])[] = [
  ['nothing without such settings', () => [], []],
  ['a hook folder in the tree', () => ['core.hooksPath', '.hooks'], ['/.hooks']],
  ['a hook folder by its absolute path', (root) => ['core.hooksPath', join(root, 'h')], ['/h']],
  ["the folder above husky's own scripts", () => ['core.hooksPath', '.husky/_'], ['/.husky']],
  ['no hook folder outside', () => ['core.hooksPath', '/opt/hooks'], []],
  ['no hooks of git itself', () => ['core.hooksPath', '.git/hooks'], []],
  [
    'an included file that does not exist yet',
    () => ['include.path', '../team.gitconfig'],
    ['/team.gitconfig'],
  ],
  ['an included file on a condition', () => ['includeIf.onbranch:x.path', '../c'], ['/c']],
  ['a filter of the tree', () => ['filter.x.clean', 'node ./clean.js %f'], ['/clean.js']],
  ['a signing program of the tree', () => ['gpg.program', 'tools/sign.sh'], ['/tools/sign.sh']],
  ['an alias that runs a file of the tree', () => ['alias.go', '!sh tools/sign.sh'], ['/tools/sign.sh']],
];

test.each(rows)('settings of git name %s', async (_, setting, named) => {
  const root = temporaryRepository({ 'clean.js': '', 'tools/sign.sh': '' });
  const args = setting(root);
  if (args.length > 0) git(root, 'config', ...args);
  expect(await namedByGitSettings(root)).toEqual(named);
});

test('a file that an included file includes is named too', async () => {
  const root = temporaryRepository({ 'a.gitconfig': '[include]\n\tpath = b.gitconfig\n', 'b.gitconfig': '' });
  git(root, 'config', 'include.path', '../a.gitconfig');
  expect(await namedByGitSettings(root)).toEqual(['/a.gitconfig', '/b.gitconfig']);
});
