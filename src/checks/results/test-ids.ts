import type { Check, CheckReport } from '../../ports.ts';
import type { TestCase } from '../../schema/generated.ts';

/**
 * Keeps the tests of several checks apart in one list. The first test check's ids stay as they are; another
 * check's carry its name in front, `tests-2: file > name`.
 */
export interface TestIds {
  /** A check's report with ids as the evaluation has them. */
  publish(report: CheckReport): CheckReport;
  /** Of an evaluation's tests, those of one check. */
  ownedBy(name: string, tests: readonly TestCase[]): TestCase[];
  /** The same with the ids that the check itself gives them. */
  bare(name: string, tests: readonly TestCase[]): TestCase[];
}

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
