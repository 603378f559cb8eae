import { describe, expect, it } from 'vitest';
import { findUncovered } from '../../../src/checks/score/coverage.ts';
import { createReport, notStarted } from '../../../src/checks/run/check-report.ts';
import { scoreReport, weighResults } from '../../../src/checks/score/reward.ts';
import { refuse } from '../../../src/proof/refusal.ts';
import { createTreePaths } from '../../../src/checks/run/tree-paths.ts';
import type { CheckReport } from '../../../src/ports.ts';
import type { Evaluation } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { planFor } from '../../support/checks.ts';

function reportOf(root: string, checkedFiles: readonly string[]): CheckReport {
  const run = { plan: planFor('tsc'), paths: createTreePaths(root, root) } as Parameters<
    typeof createReport
  >[0];
  return createReport(run, {
    status: 'pass',
    detail: 'Good.',
    outcome: notStarted,
    command: [],
    checkedFiles,
  });
}

function baselineOf(root: string, files: readonly string[], red: readonly string[]): Evaluation {
  return {
    ...{
      passed: false,
      reward: 0,
      verification_type: 'type_check',
      missing_tests: [],
      tests: [],
      duration_ms: 1,
    },
    checks: weighResults([scoreReport({ ...reportOf(root, files), status: 'fail' })], () => 1),
    diagnostics: red.map((file) => ({
      ...{
        type: 'type_error',
        severity: 'error',
        check: 'types',
        message: 'Wrong.',
        fingerprint: `f${file}`,
        file,
      },
    })),
    delta: { fixed: [], same: [], new: [] },
    metrics: {
      tests_passed: 0,
      tests_failed: 0,
      tests_total: 0,
      type_errors: 1,
      lint_errors: 0,
      lint_warnings: 0,
    },
  } as Evaluation;
}

function uncovered(
  now: readonly string[],
  there: readonly string[],
  added: readonly string[] = [],
): string[] {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(there.map((file) => [file, ''])));
  const baseline = baselineOf(root, ['src/red.ts', 'src/green.ts'], ['src/red.ts']);
  return findUncovered(reportOf(root, now), { root, baseline, added }).map(({ file }) => file);
}

describe('a check', () => {
  it('that no longer looks at a file which had errors is not believed', () => {
    expect(uncovered(['src/green.ts'], ['src/red.ts', 'src/green.ts'])).toEqual(['src/red.ts']);
  });

  it('that finds the file nowhere is not believed where it lies somewhere else', () => {
    expect(uncovered(['src/green.ts'], ['lib/red.js'], ['lib/red.js'])).toEqual(['lib/red.js']);
  });

  it('may lose a file without errors, a file that is gone, and one that it finds again', () => {
    expect(uncovered(['src/red.ts'], ['src/red.ts', 'src/green.ts'])).toEqual([]);
    expect(uncovered(['src/green.ts'], ['src/green.ts'])).toEqual([]);
    expect(uncovered(['src/a/red.ts'], ['src/a/red.ts'], ['src/a/red.ts'])).toEqual([]);
  });
});

describe('a refusal', () => {
  const root = temporaryFolder();
  const green = { ...baselineOf(root, ['src/red.ts'], []), passed: true, reward: 1 };

  it('takes the pass and the whole reward, says why as a failure, and is valid by its schema', () => {
    const tampering = [{ kind: 'checked_less', file: 'src/red.ts', detail: 'It looks away.' }] as const;
    const refused = refuse(green, tampering, createTreePaths(root, root));
    expect(validate('evaluation', refused)).toMatchObject({ ok: true });
    expect(refused).toMatchObject({ passed: false, reward: 0, tampering });
    expect(refused.checks.map(({ name, weight, score }) => [name, weight * score])).toEqual([
      ['types', 0],
      ['integrity', 0],
    ]);
    expect(refused.diagnostics[0]).toMatchObject({ check: 'integrity', message: 'It looks away.' });
  });

  it('of nothing changes nothing', () => {
    expect(refuse(green, [], createTreePaths(root, root))).toBe(green);
  });
});
