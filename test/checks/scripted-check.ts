import type { Check } from '../../src/ports.ts';
import type { CheckReport, CheckRequest } from '../../src/ports/evaluation.ts';
import type { CheckPlan } from '../../src/ports/plan.ts';
import type { Diagnostic, TestCase } from '../../src/schema/generated.ts';
import { fingerprint } from '../../src/checks/results/fingerprint.ts';

/** `passed`, `failed` or `skipped` by test name; `a/x > name` puts a test into file `a/x`. */
export type Outcomes = Readonly<Record<string, TestCase['status']>>;

export function checkPlan(over: Partial<CheckPlan> = {}): CheckPlan {
  const base = { name: 'tests', kind: 'tests', tool: 'vitest', cwd: '.', args: [], setup: [] } as const;
  return { ...base, weight: 0.5, source: 'test', ...over };
}

/** The report of a test check, with counts, status and diagnostics that follow from the tests. */
export function testReport(outcomes: Outcomes, over: Partial<CheckReport> = {}): CheckReport {
  const tests = Object.entries(outcomes).map(([key, status]) => toTest(key, status));
  const of = (status: TestCase['status']): TestCase[] => tests.filter((test) => test.status === status);
  const check = over.name ?? 'tests';
  const diagnostics = of('failed').map((test) => problem(check, `${test.name} failed`, test));
  const [passed, failed] = [of('passed').length, of('failed').length];
  return {
    name: check,
    kind: 'tests',
    tool: 'vitest',
    status: failed > 0 ? 'fail' : 'pass',
    passed,
    failed,
    skipped: of('skipped').length,
    total: passed + failed,
    errors: failed,
    warnings: 0,
    duration_ms: 1,
    exit_code: failed > 0 ? 1 : 0,
    detail: 'As scripted.',
    command: 'vitest run',
    output: '',
    tests,
    diagnostics,
    ...over,
  };
}

/** A report of a check without tests, with one error for each message. */
export function plainReport(kind: CheckReport['kind'], messages: readonly string[] = []): CheckReport {
  const status = messages.length > 0 ? 'fail' : 'pass';
  const diagnostics = messages.map((message) => problem(kind, message));
  return testReport({}, { name: kind, kind, status, errors: messages.length, diagnostics });
}

/** A check that returns the reports in order, the last one repeatedly, and records its requests. */
export function scriptedCheck(
  plan: CheckPlan,
  ...reports: readonly CheckReport[]
): Check & { readonly requests: CheckRequest[] } {
  const requests: CheckRequest[] = [];
  return {
    plan,
    requests,
    run(request) {
      requests.push(request);
      const report = reports[Math.min(requests.length, reports.length) - 1]!;
      return Promise.resolve({ ...report, name: plan.name, kind: plan.kind, tool: plan.tool });
    },
  };
}

function toTest(key: string, status: TestCase['status']): TestCase {
  const [file, name] = /^(.*?) > (.*)$/.exec(key)?.slice(1) ?? ['a.test.ts', key];
  return { id: `${file} > ${name}`, name: name!, file, status };
}

function problem(check: string, message: string, test?: TestCase): Diagnostic {
  const type = test === undefined ? 'other' : 'test_failure';
  const identity = { check, type, message, test_id: test?.id } as const;
  return { ...identity, severity: 'error', fingerprint: fingerprint(identity) };
}
