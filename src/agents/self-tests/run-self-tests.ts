import type { AttemptContext, CheckReport } from '../../ports.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { withFile } from './borrowed-file.ts';
import type { WrittenTests } from './write-self-tests.ts';

export interface SelfTestRun {
  readonly passed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}

const MAX_MESSAGE_CHARS = 800;
const MAX_FAILURES = 12;
/** Name that checks give a file that holds no test of its own; node:test lets it pass. */
const WHOLE_FILE = '(file)';

/** Runs the tests on the tree as it is; their file is there meanwhile and never longer. */
export function runSelfTests(
  { bench, root, signal }: AttemptContext,
  { check, count, file, text }: WrittenTests,
): Promise<SelfTestRun> {
  return withFile({ root, path: file, text }, async (path) =>
    resultOf(await bench.run(check, { files: [path], signal }), count),
  );
}

/**
 * All have passed only where the whole run did and as many ran as were written: a file that the runner does not find,
 * an import that fails and a skipped test are no passes.
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
