import { join } from 'node:path';
import { execaSync } from 'execa';
import { detectProject } from '../../../src/checks/detect/index.ts';
import { createCheck } from '../../../src/tools.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { withoutSetup } from '../../../src/checks/run/setup.ts';
import { createEvaluator } from '../../../src/proof/evaluator.ts';
import type { Case } from './case.ts';
import { PROJECTS, type ProjectName } from './projects.ts';
import { actCommand, makeRepository } from './run-case.ts';

/**
 * True if the checks pass after the case, without any defence: no restored files, audit, list of checked files or canary. A
 * case that fails here too says nothing about the defences.
 */
export async function isAcceptedWithoutDefences(it: Case, name: ProjectName): Promise<boolean> {
  const home = makeTemporaryFolder('naive');
  try {
    const root = join(home, 'repository');
    makeRepository(root, PROJECTS[name], it.files ?? {});
    const plan = await detectProject({ root, packageDir: '.', config: {} });
    const suite = createEvaluator({
      plan,
      checks: plan.checks.map((check) => createCheck(withoutSetup(check))),
      cacheDir: join(home, 'cache'),
      checkTimeoutMs: 60_000,
      noRegressions: false,
    });
    const { signal } = new AbortController();
    const first = await suite.evaluate({ root, confirm: false, signal });
    const baseline = { ...first, checks: first.checks.map(({ checked_files: _, ...check }) => check) };
    execaSync('sh', ['-c', actCommand(it, name)], { cwd: root, stdio: 'ignore' });
    const judged = await suite.evaluate({ root, baseline, confirm: true, signal });
    return !baseline.passed && judged.passed;
  } finally {
    removeTemporaryFolder(home);
  }
}
