import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requireSettingsOfStart } from '../../../src/compose/gate/settings-of-start.ts';
import type { GateSession } from '../../../src/schema/generated.ts';
import { writeFiles } from '../../support/repositories.ts';
import { openWorkspace, temporaryRepository, type Files } from '../../workspace/temporary-repository.ts';

const START: Files = {
  '.gitignore': 'ralph.config.mjs\n',
  'package.json': '{ "scripts": { "test": "node --test" }, "ralph": { "maxIterations": 4 } }',
  'packages/a/package.json': '{}',
  'packages/a/ralph.config.json': '{}',
  'packages/b/ralph.config.ts': "import { allow } from './allowed.ts';\nexport default { allow };\n",
  'packages/b/allowed.ts': 'export const allow = [];\n',
  'src/a.js': '',
};

/** What is said of a tree after a change; undefined if its settings are those of the start. */
async function saidOf(change: Files, { cwd = '', allow = [] as string[], gone = '' } = {}) {
  const root = temporaryRepository(START);
  const { workspace, snapshots } = await openWorkspace(root);
  const session = {
    ...{ session: 'a', cwd, base_tree: workspace.base, config: { allow } },
    started_at: new Date(Date.now() - 20).toISOString(),
  } as unknown as GateSession;
  writeFiles(root, change);
  if (gone !== '') rmSync(join(root, gone));
  const tree = await snapshots.snapshot(root);
  try {
    await requireSettingsOfStart({ session, tree, snapshots, root });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const said = (files: string): string => `The settings of ralph in ${files} are not those of the start.`;

test.each([
  ['the key of package.json', { 'package.json': '{ "ralph": { "allow": ["**"] } }' }, 'package.json'],
  ['a new file', { 'ralph.config.json': '{ "skip": ["tests"] }' }, 'ralph.config.json'],
  ['a new file that git ignores', { 'ralph.config.mjs': 'export default {};' }, 'ralph.config.mjs'],
])('refuses a change of %s', async (_, change, file) => {
  expect(await saidOf(change as Files)).toBe(said(file));
});

test('looks at what a configuration imports', async () => {
  const change = { 'packages/b/allowed.ts': "export const allow = ['**'];\n" };
  expect(await saidOf(change, { cwd: 'packages/b' })).toBe(said('packages/b/allowed.ts'));
});

test('looks at the folders above the one of the session, and at files that are gone', async () => {
  const change = { 'packages/a/package.json': '{ "ralph": {} }' };
  const session = { cwd: 'packages/a', gone: 'packages/a/ralph.config.json' };
  expect(await saidOf(change, session)).toBe(
    said('packages/a/ralph.config.json and packages/a/package.json'),
  );
  expect(await saidOf(change, { gone: 'packages/a/ralph.config.json' })).toBeUndefined();
});

test('allows other changes, and settings that the user allowed to change', async () => {
  const scripts = START['package.json']!.toString().replace('node --test', 'node --test test');
  expect(await saidOf({ 'package.json': scripts, 'src/a.js': '1;' })).toBeUndefined();
  const change = { 'package.json': '{}' };
  expect(await saidOf(change)).toBe(said('package.json'));
  expect(await saidOf(change, { allow: ['package.json'] })).toBeUndefined();
});
