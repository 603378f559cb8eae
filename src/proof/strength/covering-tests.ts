import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { CheckSettings } from '../../checks/requests.ts';
import { createTestIds } from '../../checks/results/test-ids.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { reachedFiles } from '../../platform/modules/import-graph.ts';

/** The test files of one check that may run the changed code. */
export interface CoveringTests {
  readonly check: CheckPlan;
  /** Relative to the root. */
  readonly files: readonly string[];
  /** Ids of the tests in these files that pass on the result; empty for a command, which is judged as a whole. */
  readonly passing: ReadonlySet<string>;
}

/** Code through which a test can reach files that it does not import. */
const INDIRECT =
  /child_process|worker_threads|\bexeca\b|cross-spawn|\bimport\s*\(\s*[^'"\s)]|\brequire\s*\(\s*[^'"\s)]|createRequire/;

/** Commands that decide a criterion of the task, or run tests that no reporter names, and that pass on the result. */
export function coveringCommands(
  { checks }: CheckSettings,
  { evaluation }: StrengthRequest,
): CoveringTests[] {
  const passed = new Set(evaluation.checks.filter(({ status }) => status === 'pass').map(({ name }) => name));
  return checks
    .map(({ plan }) => plan)
    .filter(
      ({ tool, kind, criterion }) => tool === 'command' && (kind === 'tests' || criterion !== undefined),
    )
    .filter(({ name }) => passed.has(name))
    .map((check) => ({ check, files: [], passing: new Set() }));
}

/**
 * Test files that import a changed file, directly or through others, and those that may reach it in another way, such
 * as by starting a process. All test files of a check if none imports one.
 */
export function coveringTests(
  { checks }: CheckSettings,
  { root, evaluation }: StrengthRequest,
  changed: readonly string[],
): CoveringTests[] {
  const ids = createTestIds(checks);
  return checks.flatMap(({ plan }) => {
    if (plan.kind !== 'tests' || plan.tool === 'command') return [];
    const tests = ids.ownedBy(plan.name, evaluation.tests).filter(({ status }) => status === 'passed');
    const all = [...new Set(tests.map(({ file }) => file).filter((file) => file !== undefined))];
    const importing = all.filter((file) => reaches(root, file, changed) === 'imports');
    const files = importing.length === 0 ? all : all.filter((file) => reaches(root, file, changed) !== 'no');
    const passing = tests
      .filter(({ file }) => file !== undefined && files.includes(file))
      .map(({ id }) => id);
    return passing.length === 0 ? [] : [{ check: plan, files, passing: new Set(passing) }];
  });
}

function reaches(root: string, test: string, changed: readonly string[]): 'imports' | 'maybe' | 'no' {
  const reached = reachedFiles(root, test).map(({ file }) => file);
  if (reached.some((file) => changed.includes(file))) return 'imports';
  return reached.some((file) => INDIRECT.test(textOf(root, file))) ? 'maybe' : 'no';
}

function textOf(root: string, file: string): string {
  try {
    return readTreeTextSync(join(root, file));
  } catch {
    return '';
  }
}
