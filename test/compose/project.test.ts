import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openProject } from '../../src/compose/project.ts';
import { PACKAGE_ROOT } from '../../src/platform/package-files.ts';
import { programOnPath } from '../../src/platform/sandbox/find-bubblewrap.ts';
import { NODE_TEST_FILES, repositoryWith, temporaryFolder } from '../support/repositories.ts';

it('looks providers up in the repository, unless nothing of it may run in ralph itself', async () => {
  const root = repositoryWith(NODE_TEST_FILES);
  const foldersOf = async (mayRunInstalled?: boolean): Promise<readonly string[]> => {
    const project = await openProject({ cwd: root, flags: {}, env: process.env, mayRunInstalled });
    return project.providerFolders;
  };
  expect(await foldersOf()).toEqual([root, root, PACKAGE_ROOT]);
  expect(await foldersOf(false)).toEqual([PACKAGE_ROOT]);
});

it('takes npm for a package manager that is not on the PATH, also without variables, as for a loop that is resumed', async () => {
  const root = repositoryWith({ ...NODE_TEST_FILES, 'yarn.lock': '' });
  const programs = temporaryFolder();
  for (const name of ['git', 'npm', 'node', 'sh']) symlinkSync(programOnPath(name)!, join(programs, name));
  vi.stubEnv('PATH', programs);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { plan } = await openProject({ cwd: root, flags: {}, env: {} });
  expect(plan.testCommand?.command).toBe('npm test');
});
