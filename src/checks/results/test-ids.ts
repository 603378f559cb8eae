import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { TestCase } from '../../schema/generated.ts';

/**
 * Makes test ids unique over several checks. The ids of the first test check stay as they are; those of another check
 * begin with its name: `tests-2: file > name`.
 */
export interface TestIds {
  /** A check's report with the ids of the evaluation. */
  publish(report: CheckReport): CheckReport;
  /** The tests of one check among those of an evaluation. */
  ownedBy(name: string, tests: readonly TestCase[]): TestCase[];
  /** The same, with the ids of the check's own reports. */
  bare(name: string, tests: readonly TestCase[]): TestCase[];
}

/** The test ids of an evaluation by these checks. */
export function createTestIds(checks: readonly Pick<Check, 'plan'>[]): TestIds {
  const first = (checks.find((check) => check.plan.kind === 'tests') ?? checks[0])?.plan.name;
  const prefixes = checks.filter((check) => check.plan.name !== first).map((check) => `${check.plan.name}: `);
  const prefixOf = (name: string): string => (name === first ? '' : `${name}: `);
  const ownerOf = (id: string): string => prefixes.find((prefix) => id.startsWith(prefix)) ?? '';
  const ownedBy = (name: string, tests: readonly TestCase[]): TestCase[] =>
    tests.filter((test) => ownerOf(test.id) === prefixOf(name));
  return {
    publish: (report) => withPrefix(report, prefixOf(report.name)),
    ownedBy,
    bare: (name, tests) =>
      ownedBy(name, tests).map((test) => ({ ...test, id: test.id.slice(prefixOf(name).length) })),
  };
}

function withPrefix(report: CheckReport, prefix: string): CheckReport {
  if (prefix === '') return report;
  return {
    ...report,
    tests: report.tests.map((test) => ({ ...test, id: prefix + test.id })),
    diagnostics: report.diagnostics.map((it) =>
      it.test_id === undefined ? it : { ...it, test_id: prefix + it.test_id },
    ),
  };
}
