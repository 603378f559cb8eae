import type { AttemptContext, CheckReport } from '../../ports.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { withTemporaryFile } from './temporary-file.ts';
import type { WrittenTests } from './write-self-tests.ts';

/** The result of one run. */
export interface SelfTestRun {
  readonly passed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}

const MAX_MESSAGE_CHARS = 800;
const MAX_FAILURES = 12;
/** The test name that checks report for a file without tests, which node:test counts as passed. */
const WHOLE_FILE = '(file)';

/** Runs the tests on the current tree; their file exists only during the run. */
export function runSelfTests(
  { bench, root, signal }: AttemptContext,
  { check, count, file, text }: WrittenTests,
): Promise<SelfTestRun> {
  return withTemporaryFile({ root, path: file, text }, async (path) =>
    resultOf(await bench.run(check, { files: [path], signal }), count),
  );
}

/**
 * All tests count as passed only if the run passed and at least `count` tests ran: otherwise the runner did not find
 * the file, an import failed, or a test was skipped.
 */
function resultOf({ diagnostics, detail, name, status, tests }: CheckReport, count: number): SelfTestRun {
  const ran = tests.filter((test) => test.status === 'passed' && test.name !== WHOLE_FILE).length;
  const isGreen = status === 'pass' && ran >= count;
  const failures = diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, MAX_FAILURES)
    .map(({ rule, type, message }) => ({
      title: rule ?? type,
      message: boundText(message, MAX_MESSAGE_CHARS),
    }));
  return {
    passed: isGreen ? count : Math.min(ran, count - 1),
    failures: failures.length > 0 || isGreen ? failures : [{ title: name, message: detail }],
  };
}
