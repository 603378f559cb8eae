import { expect, it } from 'vitest';
import { openProject } from '../../src/compose/project.ts';
import { PACKAGE_ROOT } from '../../src/platform/package-files.ts';
import { NODE_TEST_FILES, repositoryWith } from '../support/repositories.ts';

it('looks providers up in the repository, unless nothing of it may run in ralph itself', async () => {
  const root = repositoryWith(NODE_TEST_FILES);
  const foldersOf = async (mayRunInstalled?: boolean): Promise<readonly string[]> => {
    const project = await openProject({ cwd: root, flags: {}, env: process.env, mayRunInstalled });
    return project.providerFolders;
  };
  expect(await foldersOf()).toEqual([root, root, PACKAGE_ROOT]);
  expect(await foldersOf(false)).toEqual([PACKAGE_ROOT]);
});
