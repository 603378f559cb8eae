import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { detectProject } from '../../../src/checks/detect/index.ts';
import { createCheck } from '../../../src/tools.ts';
import { withoutSetup } from '../../../src/checks/run/setup.ts';
import { createEvaluator } from '../../../src/proof/evaluator.ts';
import type { Case } from './case.ts';
import { GROUNDS, type GroundName } from './grounds.ts';
import { actCommand, makeRepository } from './run-case.ts';

/**
 * Whether the same trick is believed where nobody doubts: the checks run over what the actor left, without a guard,
 * an audit, a list of checked files or a canary. What is refused here too proves nothing of the defences.
 */
export async function isBelievedWithoutDefences(it: Case, name: GroundName): Promise<boolean> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-naive-')));
  try {
    const root = join(home, 'repository');
    makeRepository(root, GROUNDS[name], it.files ?? {});
    const plan = await detectProject({ root, packageDir: '.', config: {} });
    const suite = createEvaluator({
      plan,
      checks: plan.checks.map((check) => createCheck(withoutSetup(check))),
      ...{ cacheDir: join(home, 'cache'), checkTimeoutMs: 60_000, noRegressions: false },
    });
    const { signal } = new AbortController();
    const first = await suite.evaluate({ root, confirm: false, signal });
    const baseline = { ...first, checks: first.checks.map(({ checked_files: _, ...check }) => check) };
    execaSync('sh', ['-c', actCommand(it, name)], { cwd: root, stdio: 'ignore' });
    const judged = await suite.evaluate({ root, baseline, confirm: true, signal });
    return !baseline.passed && judged.passed;
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
