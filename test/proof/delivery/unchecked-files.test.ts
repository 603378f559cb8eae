import { describe, expect, it } from 'vitest';
import { findUncheckedFiles } from '../../../src/proof/delivery/unchecked-files.ts';
import { createReport, notStarted } from '../../../src/checks/run/check-report.ts';
import { scoreReport, weighResults } from '../../../src/checks/score/reward.ts';
import { rejectTampered } from '../../../src/proof/rejected-evaluation.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
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
    passed: false,
    reward: 0,
    verification_type: 'type_check',
    missing_tests: [],
    tests: [],
    duration_ms: 1,
    checks: weighResults([scoreReport({ ...reportOf(root, files), status: 'fail' })], () => 1),
    diagnostics: red.map((file) => ({
      type: 'type_error',
      severity: 'error',
      check: 'types',
      message: 'Wrong.',
      fingerprint: `f${file}`,
      file,
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

function uncheckedIn(
  now: readonly string[],
  there: readonly string[],
  added: readonly string[] = [],
): string[] {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(there.map((file) => [file, ''])));
  const baseline = baselineOf(root, ['src/red.ts', 'src/green.ts'], ['src/red.ts']);
  return findUncheckedFiles(reportOf(root, now), { root, baseline, added }).map(({ file }) => file);
}

describe('findUncheckedFiles', () => {
  it('reports a file with errors that the check no longer reads', () => {
    expect(uncheckedIn(['src/green.ts'], ['src/red.ts', 'src/green.ts'])).toEqual(['src/red.ts']);
  });

  it('reports an unchecked file that replaces one with errors', () => {
    expect(uncheckedIn(['src/green.ts'], ['lib/red.js'], ['lib/red.js'])).toEqual(['lib/red.js']);
  });

  it('reports unchecked JavaScript that was added beside a file with errors', () => {
    const files = ['src/red.ts', 'src/green.ts', 'src/red.js', 'src/green.js'];
    expect(uncheckedIn(files.slice(0, 2), files, files.slice(2))).toEqual(['src/red.js']);
    expect(uncheckedIn(files, files, files.slice(2))).toEqual([]);
  });

  it('accepts a lost file without errors, a deleted file, and a moved file that is checked', () => {
    expect(uncheckedIn(['src/red.ts'], ['src/red.ts', 'src/green.ts'])).toEqual([]);
    expect(uncheckedIn(['src/green.ts'], ['src/green.ts'])).toEqual([]);
    expect(uncheckedIn(['src/a/red.ts'], ['src/a/red.ts'], ['src/a/red.ts'])).toEqual([]);
  });
});

describe('rejectTampered', () => {
  const root = temporaryFolder();
  const green = { ...baselineOf(root, ['src/red.ts'], []), passed: true, reward: 1 };

  it('sets reward 0, reports the tampering as a failure, and fits the schema', () => {
    const tampering = [{ kind: 'checked_less', file: 'src/red.ts', detail: 'It looks away.' }] as const;
    const rejected = rejectTampered(green, tampering, createTreePaths(root, root));
    expect(validate('evaluation', rejected)).toMatchObject({ ok: true });
    expect(rejected).toMatchObject({ passed: false, reward: 0, tampering });
    expect(rejected.checks.map(({ name, weight, score }) => [name, weight * score])).toEqual([
      ['types', 0],
      ['integrity', 0],
    ]);
    expect(rejected.diagnostics[0]).toMatchObject({ check: 'integrity', message: 'It looks away.' });
  });

  it('returns an evaluation without tampering unchanged', () => {
    expect(rejectTampered(green, [], createTreePaths(root, root))).toBe(green);
  });

  it('names a new file without checks that a file with errors now imports', () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'src/a.js': "export { f } from '../vendor/a.js';\nexport { g } from '../vendor/old.js';\n",
      'vendor/a.js': 'export const f = 1;\n',
      'vendor/old.js': 'export const g = 1;\n',
    });
    const baseline = baselineOf(root, ['src/a.js'], ['src/a.js']);
    const report = reportOf(root, ['src/a.js']);
    const found = findUncheckedFiles(report, { root, baseline, added: ['vendor/a.js'] });
    expect(found.map(({ file }) => file)).toEqual(['vendor/a.js']);
    expect(findUncheckedFiles(report, { root, baseline, added: [] })).toEqual([]);
    const isChecked = reportOf(root, ['src/a.js', 'vendor/a.js']);
    expect(findUncheckedFiles(isChecked, { root, baseline, added: ['vendor/a.js'] })).toEqual([]);
  });

  it('names a new file with code under an ending that is not checked, and no template', () => {
    const root = temporaryFolder();
    writeFiles(root, {
      'src/a.js':
        "createRequire(import.meta.url)('./a.es6');\nreadFileSync(new URL('./page.hbs', import.meta.url));\n",
      'src/a.es6': 'exports.same = (a, b) => a == b;\n',
      'src/page.hbs': '<p>{{exports}}</p>\n',
    });
    const baseline = baselineOf(root, ['src/a.js'], ['src/a.js']);
    const namedAmong = (added: string[]): string[] =>
      findUncheckedFiles(reportOf(root, ['src/a.js']), { root, baseline, added }).map(({ file }) => file);
    expect(namedAmong(['src/a.es6'])).toEqual(['src/a.es6']);
    expect(namedAmong(['src/page.hbs'])).toEqual([]);
    expect(namedAmong([])).toEqual([]);
  });
});
