import type { TestFailure } from '../../ports/evaluation.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import type { FailureOrigin } from './failure-diagnostic.ts';
import type { TestReport } from './test-report.ts';
import { toTestResults } from './test-results.ts';

const MAX_VALUE_CHARS = 60;
const MAX_TEXT_CHARS = 300;

/** The failed tests of a report, each with the first line of its first error. */
export function toTestFailures(report: TestReport, origin: FailureOrigin): TestFailure[] {
  const { results } = toTestResults(report, origin);
  return results.flatMap(({ test, diagnostics: [first] }) => {
    if (test.status !== 'failed' || first === undefined) return [];
    const { name, file } = test;
    const place = file === undefined ? {} : { file };
    return [
      { check: origin.check, test: name.slice(0, MAX_TEXT_CHARS), ...place, message: shortMessage(first) },
    ];
  });
}

/** The compared values where both are short; the message of a comparison may begin with a line that says nothing of them. */
function shortMessage({ expected, received, message }: Diagnostic): string {
  if (isShort(expected) && isShort(received)) return `expected ${expected}, received ${received}`;
  return message.trimStart().split('\n', 1)[0]!.slice(0, MAX_TEXT_CHARS);
}

function isShort(value: string | undefined): value is string {
  return value !== undefined && value.length <= MAX_VALUE_CHARS && !value.includes('\n');
}
