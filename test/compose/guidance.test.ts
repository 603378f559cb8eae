import { expect, test } from 'vitest';
import { join } from 'node:path';
import { carryDefaultBranch, DEFAULT_BRANCH_FOLDER } from '../../src/ci/default-branch.ts';
import { readGuidance } from '../../src/compose/guidance.ts';
import { openRemoteDesk } from '../../src/platform/git/remote.ts';
import { repositoryWith, temporaryFolder, writeFiles } from '../support/repositories.ts';

test('a plan carries the guidance of the default branch, of the package or else of the root', async () => {
  const root = repositoryWith({ 'AGENTS.md': 'main\n', 'packages/a/CLAUDE.md': 'a\n', 'docs/words.md': '' });
  const plan = temporaryFolder();
  const desk = await openRemoteDesk({ url: root, token: undefined });
  await carryDefaultBranch(desk, root, plan);
  desk.close();
  writeFiles(root, { 'AGENTS.md': 'branch\n' });
  const carried = join(plan, DEFAULT_BRANCH_FOLDER);
  expect(readGuidance(carried, '.')).toBe('main');
  expect(readGuidance(carried, 'packages/a')).toBe('a');
  // Negative control: the checkout has another text.
  expect(readGuidance(root, '.')).toBe('branch');
});
