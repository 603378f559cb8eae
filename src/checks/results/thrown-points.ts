import type { Diagnostic, TestCase } from '../../schema/generated.ts';

/** The end of a point's name that is the text of an error, as tape names a rejected test and `t.error(error)`. */
const ERROR_TEXT = / > (?:[A-Z]\w*)?Error: .*$/s;

/**
 * The baseline's tests without errors that a test threw and that tap or tape reports as points of it, named by their text:
 * such a point is gone when nothing is thrown. Required again unless the test has a passing point now, and no failing one.
 */
export function withoutThrown(
  baseline: readonly TestCase[],
  now: readonly TestCase[],
  diagnostics: readonly Diagnostic[],
): TestCase[] {
  const errors = new Map(
    diagnostics.flatMap(({ type, test_id: id, message }) =>
      type === 'runtime_error' && id !== undefined ? [[id, message.replace(/^\w+: /, '')] as const] : [],
    ),
  );
  /** Name of the test that threw. */
  const throwing = ({ id, name, status }: TestCase): string | undefined => {
    if (status !== 'failed') return undefined;
    const point = ` > ${errors.get(id)}`;
    if (name.endsWith(point)) return name.slice(0, -point.length);
    return ERROR_TEXT.test(name) ? name.replace(ERROR_TEXT, '') : undefined;
  };
  const passes = (test: string, file: string | undefined): boolean => {
    const isOwn = ({ name }: TestCase): boolean => name === test || name.startsWith(`${test} > `);
    const own = now.filter((it) => it.file === file && isOwn(it) && counts(it));
    return own.length > 0 && own.every(({ status }) => status === 'passed');
  };
  return baseline.filter((it) => {
    const test = throwing(it);
    return test === undefined || !passes(test, it.file);
  });
}

function counts({ status }: TestCase): boolean {
  return status !== 'skipped';
}
