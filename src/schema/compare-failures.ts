import type { Diagnostic, DiagnosticDelta, Evaluation } from './generated.ts';

/** The failures of an evaluation compared with those of an earlier one. */
export interface FailureComparison {
  /** Errors of the earlier evaluation; its warnings where it has no errors and did not pass. */
  readonly before: readonly Diagnostic[];
  /** Errors of the evaluation; its warnings where it has no errors and did not pass. */
  readonly now: readonly Diagnostic[];
  /** Earlier failures that are gone, and whose test or check ran again and reported a result. */
  readonly fixed: readonly Diagnostic[];
  /** Earlier failures that are absent, but whose test or check did not report again: nothing is known about them. */
  readonly unseen: readonly Diagnostic[];
  /** Present failures that are unchanged. */
  readonly same: readonly Diagnostic[];
  /** Present failures of tests that failed before in a different way, and of rules with another message in the same line. */
  readonly moved: readonly Diagnostic[];
  /** Present failures of tests or checks that did not fail before. */
  readonly fresh: readonly Diagnostic[];
  /** Present failures of tests or checks that had no result before: nothing is known about their state then. */
  readonly revealed: readonly Diagnostic[];
}

/** The parts of an evaluation that are compared. */
export type Compared = Pick<Evaluation, 'diagnostics' | 'checks' | 'tests' | 'passed'>;

/** Most fingerprints in a list of an evaluation. */
const MOST_LISTED = 500;

/**
 * The comparison as an evaluation stores it and as every report counts it: one fingerprint for each failure, and for each
 * place of the same error of a tool.
 */
export function deltaOf(evaluation: Compared, previous: Compared | undefined): DiagnosticDelta {
  if (previous === undefined) return { fixed: [], same: [], new: [], unseen: [] };
  const { fixed, unseen, same, moved, fresh, revealed } = compareFailures(previous, evaluation);
  return {
    fixed: listed(fixed),
    same: listed([...same, ...moved]),
    new: listed([...fresh, ...revealed]),
    unseen: listed(unseen),
  };
}

function listed(failures: readonly Diagnostic[]): string[] {
  const occurrences = new Map(failures.map((one) => [occurrenceOf(one), one.fingerprint]));
  return [...occurrences.values()].slice(0, MOST_LISTED);
}

/**
 * Compares two evaluations. A failure counts as fixed only if what reported it ran again: a test that is listed as passed,
 * a type or lint check that got past its syntax errors. A test that timed out, was skipped or did not run is not fixed.
 */
export function compareFailures(previous: Compared, evaluation: Compared): FailureComparison {
  const [before, now] = [errorsOf(previous), errorsOf(evaluation)];
  const [known, present] = [fingerprintsOf(before), fingerprintsOf(now)];
  const [failedBefore, failsNow] = [testIdsOf(before), testIdsOf(now)];
  // The same error of a tool may stand at several places: as many as there were before are the same.
  const [more, fewer] = [surplus(now, before), surplus(before, now)];
  const unknown = now.filter((one) => !known.has(one.fingerprint) || more.has(one));
  const left = before.filter((one) => !present.has(one.fingerprint) || fewer.has(one));
  const [placesBefore, placesNow] = [placesOf(left), placesOf(unknown)];
  const isIn = (ids: ReadonlySet<string>, places: ReadonlySet<string>, failure: Diagnostic): boolean =>
    failure.test_id === undefined ? places.has(placeOf(failure) ?? '') : ids.has(failure.test_id);
  const added = unknown.filter((failure) => !isIn(failedBefore, placesBefore, failure));
  const fresh = added.filter((failure) => hadResult(failure, previous));
  const gone = left.filter((failure) => !isIn(failsNow, placesNow, failure));
  const fixed = new Set(gone.filter((failure) => reportedAgain(failure, evaluation)));
  const isAdded = new Set(added);
  return {
    before,
    now,
    fixed: [...fixed],
    unseen: gone.filter((failure) => !fixed.has(failure)),
    same: now.filter((one) => known.has(one.fingerprint) && !more.has(one)),
    moved: unknown.filter((failure) => !isAdded.has(failure)),
    fresh,
    revealed: added.filter((failure) => !hadResult(failure, previous)),
  };
}

/**
 * A key of a failure that two places of the same error of a tool do not share: their fingerprints have no line, so that they
 * stay when lines move.
 */
export function occurrenceOf({ fingerprint, test_id: id, type, file, line }: Diagnostic): string {
  return id === undefined && STATIC.has(type) ? `${fingerprint} ${file}:${line}` : fingerprint;
}

/**
 * Of errors of tools with the same fingerprint, those that are more than there are among `others`: the ones whose lines are
 * farthest from theirs.
 */
function surplus(failures: readonly Diagnostic[], others: readonly Diagnostic[]): Set<Diagnostic> {
  const groups = new Map<string, Diagnostic[]>();
  for (const one of failures.filter((failure) => failure.test_id === undefined && STATIC.has(failure.type)))
    groups.set(one.fingerprint, [...(groups.get(one.fingerprint) ?? []), one]);
  const found = [...groups].flatMap(([fingerprint, group]) => {
    const lines = [...new Set(others.filter((one) => one.fingerprint === fingerprint).map(lineOf))];
    const own = [...new Set(group.map(lineOf))];
    if (lines.length === 0 || own.length <= lines.length) return [];
    const distance = (line: number): number => Math.min(...lines.map((other) => Math.abs(other - line)));
    const far = own.sort((a, b) => distance(a) - distance(b)).slice(lines.length);
    return group.filter((one) => far.includes(lineOf(one)));
  });
  return new Set(found);
}

const lineOf = ({ line }: Diagnostic): number => line ?? 0;

/** The fingerprints of failures. */
function fingerprintsOf(failures: readonly Diagnostic[]): Set<string> {
  return new Set(failures.map(({ fingerprint }) => fingerprint));
}

/** Rule, file and line of an error of a type checker or linter, or the check without any place; undefined for any other failure. */
function placeOf({ type, rule, file, line, check }: Diagnostic): string | undefined {
  if (!STATIC.has(type) && type !== 'other') return undefined;
  // The one failure of a command that names no place: other output is not another failure.
  if (rule === undefined && file === undefined && line === undefined) return `${check}\n`;
  if (!STATIC.has(type) || rule === undefined || file === undefined || line === undefined) return undefined;
  return `${rule}\n${file}:${line}`;
}

function placesOf(failures: readonly Diagnostic[]): Set<string> {
  return new Set(failures.map(placeOf).filter((place) => place !== undefined));
}

const STATIC: ReadonlySet<Diagnostic['type']> = new Set(['type_error', 'syntax_error', 'lint_error']);

/** The warnings of a tree that passes are no failures. */
function errorsOf({ diagnostics, passed }: Compared): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 || passed ? errors : diagnostics;
}

function testIdsOf(diagnostics: readonly Diagnostic[]): Set<string> {
  return new Set(diagnostics.map(({ test_id }) => test_id).filter((id) => id !== undefined));
}

function reportedAgain(failure: Diagnostic, evaluation: Compared): boolean {
  const check = evaluation.checks.find(({ name }) => name === failure.check);
  if (check === undefined || check.status === 'error' || check.status === 'skip') return false;
  if (check.status === 'pass')
    return failure.test_id === undefined || !isListed(failure, evaluation, 'skipped');
  const others = evaluation.diagnostics.filter((one) => one.check === failure.check);
  if (STATIC.has(failure.type)) return !others.some((one) => hides(one, failure));
  if (evaluation.tests.length > 0) {
    if (failure.test_id !== undefined) return isListed(failure, evaluation, 'passed');
    return evaluation.tests.some(({ file, status }) => file === failure.file && status === 'passed');
  }
  const isLoaded = !evaluation.diagnostics.some(({ type }) => type === 'syntax_error');
  return isLoaded && !others.some(({ type }) => type === 'timeout' || type === 'runtime_error');
}

/** False where the test did not run in the earlier evaluation, or an error of its check hid the failure. */
function hadResult(failure: Diagnostic, { checks, tests, diagnostics }: Compared): boolean {
  const check = checks.find(({ name }) => name === failure.check);
  if (check?.status === 'error' || check?.status === 'skip') return false;
  if (check?.status === 'pass') return true;
  const others = diagnostics.filter((one) => one.check === failure.check);
  if (STATIC.has(failure.type)) return !others.some((one) => hides(one, failure));
  // A file that does not run as a whole is no test that was hidden.
  if (failure.test_id === undefined || failure.rule === WHOLE_FILE) return true;
  if (tests.length > 0) return tests.some(({ id, status }) => id === failure.test_id && status !== 'skipped');
  return !others.some(({ type }) => ENDS_RUN.has(type));
}

/** Name that test runners' reports give a file that could not be run as a whole. */
const WHOLE_FILE = '(file)';

/** Failures after which a test runner may report nothing about other tests. */
const ENDS_RUN: ReadonlySet<Diagnostic['type']> = new Set(['syntax_error', 'timeout', 'runtime_error']);

function isListed({ test_id: id }: Diagnostic, { tests }: Compared, status: 'passed' | 'skipped'): boolean {
  return tests.some((test) => test.id === id && test.status === status);
}

/** A syntax error hides the type errors of the whole check, and the lint errors of its own file. */
function hides(one: Diagnostic, failure: Diagnostic): boolean {
  const isSyntax = one.type === 'syntax_error' || one.message.startsWith('Parsing error');
  return isSyntax && (failure.type !== 'lint_error' || one.file === failure.file);
}
