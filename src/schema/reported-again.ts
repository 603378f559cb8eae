import type { CheckResult, Diagnostic, Evaluation } from './generated.ts';
import { FILE_CASE } from './file-case.ts';

/** The parts of an evaluation that are compared. */
export type Compared = Pick<Evaluation, 'diagnostics' | 'checks' | 'tests' | 'passed' | 'tampering'> &
  Partial<Pick<Evaluation, 'delta'>>;

/** Errors of type checkers and linters. */
export const STATIC: ReadonlySet<Diagnostic['type']> = new Set(['type_error', 'syntax_error', 'lint_error']);

/** True for an error that a tool finds by reading: comments and types count too, the clock does not. */
export function isOfTool({ test_id: id, type }: Diagnostic): boolean {
  return id === undefined && STATIC.has(type);
}

/** Most failures that an evaluation lists. */
const MOST_FAILURES = 500;

/**
 * The one rule of what is fixed. A failure that an evaluation does not have is fixed only if what reported it ran to its end and
 * covered the place or the test: a test is listed as passed; a file that could not be run has a test with a result; a type checker or linter got past its syntax errors, and nothing
 * switched it off; a command ended by itself, was read to its end, and reported again something of before. Of any other
 * failure that is gone nothing is known.
 */
export function isFixedIn(failure: Diagnostic, evaluation: Compared, previous: Compared): boolean {
  const check = resultOf(failure, evaluation);
  if (check === undefined || check.status === 'error' || check.status === 'skip') return false;
  if (isSwitchedOff(failure, evaluation)) return false;
  if (failure.test_id !== undefined) {
    if (check.status === 'pass') return !isListed(failure, evaluation, 'skipped');
    return failure.rule === FILE_CASE ? hasRun(failure, evaluation) : isListed(failure, evaluation, 'passed');
  }
  if (check.status === 'pass') return true;
  if (check.unfinished === true || evaluation.diagnostics.length >= MOST_FAILURES) return false;
  const others = evaluation.diagnostics.filter((one) => one.check === failure.check);
  if (others.some((one) => hides(one, failure))) return false;
  // What kept the check from its end is gone, since it comes to its end now.
  if (resultOf(failure, previous)?.unfinished === true) return true;
  if (check.tool === 'command' && check.total === 0) return wentAsFar(check, { failure, others, previous });
  if (STATIC.has(failure.type)) return true;
  if (evaluation.tests.length > 0)
    return evaluation.tests.some(({ file, status }) => file === failure.file && status === 'passed');
  const isLoaded = !evaluation.diagnostics.some(({ type }) => type === 'syntax_error');
  return isLoaded && !others.some(({ type }) => type === 'timeout' || type === 'runtime_error');
}

/** False where the test did not run in the earlier evaluation, or an error of its check hid the failure. */
export function hadResult(failure: Diagnostic, previous: Compared): boolean {
  const { tests, diagnostics } = previous;
  const check = resultOf(failure, previous);
  if (check?.status === 'error' || check?.status === 'skip') return false;
  if (check?.status === 'pass') return true;
  const others = diagnostics.filter((one) => one.check === failure.check);
  if (STATIC.has(failure.type)) return !others.some((one) => hides(one, failure));
  // A file that does not run as a whole is no test that was hidden.
  if (failure.test_id === undefined || failure.rule === FILE_CASE) return true;
  if (tests.length > 0) return tests.some(({ id, status }) => id === failure.test_id && status !== 'skipped');
  return !others.some(({ type }) => ENDS_RUN.has(type));
}

/** Failures after which a test runner may report nothing about other tests. */
const ENDS_RUN: ReadonlySet<Diagnostic['type']> = new Set(['syntax_error', 'timeout', 'runtime_error']);

/** Of a command only its exit code and what it printed are known: another exit code may stand for an end in the middle. */
function wentAsFar(
  { exit_code: code }: CheckResult,
  {
    failure,
    others,
    previous,
  }: {
    readonly failure: Diagnostic;
    readonly others: readonly Diagnostic[];
    readonly previous: Compared;
  },
): boolean {
  const codeBefore = resultOf(failure, previous)?.exit_code ?? code;
  if (code === null || code > codeBefore!) return false;
  const before = previous.diagnostics.filter((one) => one.check === failure.check);
  return others.some((one) =>
    before.some(
      ({ fingerprint, file, line }) =>
        fingerprint === one.fingerprint || (file !== undefined && file === one.file && line === one.line),
    ),
  );
}

/** True where a refused edit told the tool to be quiet, or makes what the checks say worthless. */
function isSwitchedOff(failure: Diagnostic, { tampering = [] }: Compared): boolean {
  return tampering.some(({ kind, file }) =>
    kind === 'suppression_added' ? STATIC.has(failure.type) && file === failure.file : true,
  );
}

function resultOf({ check }: Diagnostic, { checks }: Compared): CheckResult | undefined {
  return checks.find(({ name }) => name === check);
}

function isListed({ test_id: id }: Diagnostic, { tests }: Compared, status: 'passed' | 'skipped'): boolean {
  return tests.some((test) => test.id === id && test.status === status);
}

/** True for a file that could not be run as a whole, and of which a test has a result now. */
function hasRun({ test_id: id }: Diagnostic, { tests }: Compared): boolean {
  const file = id!.slice(0, -FILE_CASE.length);
  return tests.some((test) => test.id !== id && test.id.startsWith(file) && test.status !== 'skipped');
}

/** A syntax error hides the type errors of the whole check, and the lint errors of its own file. */
function hides(one: Diagnostic, failure: Diagnostic): boolean {
  if (!STATIC.has(failure.type)) return false;
  const isSyntax = one.type === 'syntax_error' || one.message.startsWith('Parsing error');
  return isSyntax && (failure.type !== 'lint_error' || one.file === failure.file);
}
