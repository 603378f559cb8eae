import type { Check } from '../ports.ts';
import type { CheckReport, CheckRequest } from '../ports/evaluation.ts';
import type { Diagnostic, TestCase } from '../schema/generated.ts';

const MAX_SUSPECTS = 5;
const RERUNS = 2;

/**
 * Runs failed tests that passed before again: a test that then passes twice counts as passed and is named in `detail`.
 * More than five such failures are not flaky. `passedBefore`: ids as the check's own reports have them.
 */
export function rerunNewFailures(
  check: Check,
  report: CheckReport,
  { request, passedBefore }: { readonly request: CheckRequest; readonly passedBefore: ReadonlySet<string> },
): Promise<CheckReport> {
  return rerun(check, report, {
    request,
    isSuspect: (test) => passedBefore.has(test.id),
    reason: 'Flaky, passed twice when run again',
  });
}

/**
 * Runs up to five failed tests again while no other check runs: a test may have failed because the checks beside it left it no
 * time, which the repository's own scripts do not.
 */
export function rerunAlone(check: Check, report: CheckReport, request: CheckRequest): Promise<CheckReport> {
  return rerun(check, report, {
    request,
    isSuspect: () => true,
    reason: 'Failed beside the other checks, passed twice alone',
  });
}

interface RerunOptions {
  readonly request: CheckRequest;
  readonly isSuspect: (test: TestCase) => boolean;
  /** The beginning of the sentence that lists the tests that passed. */
  readonly reason: string;
}

async function rerun(
  check: Check,
  report: CheckReport,
  { request, isSuspect, reason }: RerunOptions,
): Promise<CheckReport> {
  const suspects = report.tests.filter((test) => test.status === 'failed' && isSuspect(test));
  const few = suspects.length > 0 && suspects.length <= MAX_SUSPECTS;
  if (!few || report.status !== 'fail') return report;
  let flaky = new Set(suspects.map((test) => test.id));
  const passedOnce = new Set<string>();
  for (let run = 0; run < RERUNS && flaky.size > 0; run++) {
    const only = suspects.filter((test) => flaky.has(test.id));
    flaky = passedIds((await check.run({ ...request, only })).tests, flaky);
    for (const id of flaky) passedOnce.add(id);
  }
  const noted = withNotes(report, passedOnce);
  return flaky.size === 0 ? noted : withPassed(noted, flaky, reason);
}

const BY_CHANCE = ' (passed when run again, and failed after that: chance or time may decide)';

/** Whether a failure is of a test that passed when it ran again, and failed after that. */
export function isByChance({ message }: Pick<Diagnostic, 'message'>): boolean {
  return message.split('\n', 1)[0]!.endsWith(BY_CHANCE);
}

/** The report with a note on the failures of tests that passed in between. */
function withNotes(report: CheckReport, passedOnce: ReadonlySet<string>): CheckReport {
  const diagnostics = report.diagnostics.map((it) =>
    it.test_id !== undefined && passedOnce.has(it.test_id)
      ? { ...it, message: it.message.replace(/^.*/, (first) => first + BY_CHANCE) }
      : it,
  );
  return { ...report, diagnostics };
}

function passedIds(tests: readonly TestCase[], asked: ReadonlySet<string>): Set<string> {
  return new Set(tests.filter((it) => it.status === 'passed' && asked.has(it.id)).map((it) => it.id));
}

function withPassed(report: CheckReport, flaky: ReadonlySet<string>, reason: string): CheckReport {
  const tests = report.tests.map((test): TestCase =>
    flaky.has(test.id) ? { ...test, status: 'passed', flaky: true } : test,
  );
  const diagnostics = report.diagnostics.filter((it) => it.test_id === undefined || !flaky.has(it.test_id));
  const failed = report.failed - flaky.size;
  // Failures outside of tests were not run again and remain.
  const green = failed === 0 && diagnostics.every((it) => it.severity !== 'error');
  const names = [...flaky].join(', ');
  return {
    ...report,
    tests,
    diagnostics,
    failed,
    passed: report.passed + flaky.size,
    errors: diagnostics.filter((it) => it.severity === 'error').length,
    status: green ? 'pass' : 'fail',
    detail: `${report.detail} ${reason}: ${names}.`.slice(0, 2_000),
  };
}
