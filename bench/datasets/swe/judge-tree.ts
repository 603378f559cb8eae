import { createBench } from '../../../src/checks/bench.ts';
import { detectProject } from '../../../src/checks/detect/index.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import { createCheck } from '../../../src/tools.ts';
import { applyDiff, takeBack } from '../patches.ts';
import type { SweInstance } from './instance.ts';
import { compareResults, type Judgement } from './judge.ts';

const TIMEOUT_MS = 600_000;

/**
 * Judges a tree (absolute path) as it is: applies the instance's tests, runs the repository's tests with the rights of
 * this process, and takes the tests back.
 */
export async function judgeTree(
  root: string,
  instance: SweInstance,
  signal: AbortSignal,
): Promise<Judgement> {
  const problem = await applyDiff(root, instance.testPatch);
  if (problem !== undefined)
    return { applied: false, resolved: false, fixed: 0, regressed: [], reason: `The tests: ${problem}` };
  try {
    const reports = await runTestChecks(root, signal);
    const idsOf = (status: string): ReadonlySet<string> =>
      new Set(
        reports.flatMap(({ tests }) => tests.filter((test) => test.status === status).map(({ id }) => id)),
      );
    return compareResults(instance, { passed: idsOf('passed'), failed: idsOf('failed') });
  } finally {
    await takeBack(root, instance.testPatch);
  }
}

async function runTestChecks(root: string, signal: AbortSignal): Promise<CheckReport[]> {
  const plan = await detectProject({ root, packageDir: '.', config: { skip: ['types', 'lint'] } });
  const cacheDir = makeTemporaryFolder('bench-cache');
  try {
    const checks = plan.checks.map(createCheck);
    const bench = createBench({ plan, checks, cacheDir, checkTimeoutMs: TIMEOUT_MS, root });
    const reports: CheckReport[] = [];
    for (const { name, kind } of plan.checks)
      if (kind === 'tests') reports.push(await bench.run(name, { signal }));
    return reports;
  } finally {
    removeTemporaryFolder(cacheDir);
  }
}
