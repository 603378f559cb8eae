import type { Diagnostic, DiagnosticDelta } from './generated.ts';
import { hadResult, isFixedIn, STATIC, type Compared } from './reported-again.ts';

export type { Compared } from './reported-again.ts';

/** The failures of an evaluation compared with those of an earlier one. */
export interface FailureComparison {
  /** Errors of the earlier evaluation; its warnings where it has no errors and did not pass. */
  readonly before: readonly Diagnostic[];
  /** Errors of the evaluation; its warnings where it has no errors and did not pass. */
  readonly now: readonly Diagnostic[];
  /** Earlier failures that are gone, and whose test or check ran to its end and reported a result; see `isFixedIn`. */
  readonly fixed: readonly Diagnostic[];
  /** Earlier failures that are gone in the same way, although the attempt changed no code: they pass by the clock or by chance. */
  readonly passing: readonly Diagnostic[];
  /** Earlier failures that are absent, but whose test or check did not report again: nothing is known about them. */
  readonly unseen: readonly Diagnostic[];
  /** Present failures that are unchanged. */
  readonly same: readonly Diagnostic[];
  /**
   * Present failures of tests that failed before in a different way, of rules with another message and of types with another code in the same line, of the same
   * kind of error at the same place of a command, and errors of a file that has another name now.
   */
  readonly moved: readonly Diagnostic[];
  /** Present failures of tests or checks that did not fail before. */
  readonly fresh: readonly Diagnostic[];
  /** Present failures of tests or checks that had no result before: nothing is known about their state then. */
  readonly revealed: readonly Diagnostic[];
}

/** Most fingerprints in a list of an evaluation. */
const MOST_LISTED = 500;

/**
 * The comparison as an evaluation stores it and as every report counts it: one fingerprint for each failure, and for each
 * place of the same error of a tool.
 */
export function deltaOf(evaluation: Compared, previous: Compared | undefined): DiagnosticDelta {
  if (previous === undefined) return { fixed: [], same: [], new: [], unseen: [] };
  const { fixed, passing, unseen, same, moved, fresh, revealed } = compareFailures(previous, evaluation);
  return {
    fixed: listed(fixed),
    ...(passing.length > 0 ? { passing: listed(passing) } : {}),
    same: listed([...same, ...moved]),
    new: listed([...fresh, ...revealed]),
    unseen: listed(unseen),
  };
}

function listed(failures: readonly Diagnostic[]): string[] {
  const occurrences = new Map(failures.map((one) => [occurrenceOf(one), one.fingerprint]));
  return [...occurrences.values()].slice(0, MOST_LISTED);
}

/** Compares two evaluations. What counts as fixed is decided by `isFixedIn`, for every reader. */
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
  const otherNames = renamed(
    left.filter((failure) => !isIn(failsNow, placesNow, failure)),
    unknown.filter((failure) => !isIn(failedBefore, placesBefore, failure)),
    now,
  );
  const added = unknown.filter(
    (failure) => !isIn(failedBefore, placesBefore, failure) && !otherNames.has(failure),
  );
  const fresh = added.filter((failure) => hadResult(failure, previous));
  const gone = left.filter((failure) => !isIn(failsNow, placesNow, failure) && !otherNames.has(failure));
  const ended = new Set(gone.filter((failure) => isFixedIn(failure, evaluation, previous)));
  const byItself = new Set(evaluation.delta?.passing);
  const isAdded = new Set(added);
  return {
    before,
    now,
    fixed: [...ended].filter(({ fingerprint }) => !byItself.has(fingerprint)),
    passing: [...ended].filter(({ fingerprint }) => byItself.has(fingerprint)),
    unseen: gone.filter((failure) => !ended.has(failure)),
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

/**
 * Failures of a file that has another name now, of both evaluations: the errors of a tool that are gone with all others of their
 * file, and stand in the same line of another file.
 */
function renamed(
  gone: readonly Diagnostic[],
  added: readonly Diagnostic[],
  now: readonly Diagnostic[],
): ReadonlySet<Diagnostic> {
  const keyOf = ({ check, rule, message, line }: Diagnostic): string =>
    [check, rule, line, message].join('\n');
  const found = new Set<Diagnostic>();
  for (const one of gone) {
    if (!STATIC.has(one.type) || one.file === undefined) continue;
    if (now.some(({ check, file }) => check === one.check && file === one.file)) continue;
    const other = added.find(
      (failure) => !found.has(failure) && keyOf(failure) === keyOf(one) && failure.file !== one.file,
    );
    if (other !== undefined) found.add(one).add(other);
  }
  return found;
}

/**
 * Rule, file and line of an error of a type checker or linter, the place of an error outside of tests, or the check without any
 * place; undefined for any other failure.
 */
function placeOf({ type, rule, file, line, check, test_id: id }: Diagnostic): string | undefined {
  const isOutsideTests =
    id === undefined && (type === 'runtime_error' || (type === 'other' && rule === undefined));
  if (isOutsideTests && file !== undefined && line !== undefined) return `${check}\n${file}:${line}`;
  if (!STATIC.has(type) && type !== 'other') return undefined;
  // The one failure of a command that names no place: other output is not another failure.
  if (rule === undefined && file === undefined && line === undefined) return `${check}\n`;
  if (!STATIC.has(type) || rule === undefined || file === undefined || line === undefined) return undefined;
  // A type checker says the same of a place by another code where the type is another one.
  return `${type === 'type_error' ? type : rule}\n${file}:${line}`;
}

function placesOf(failures: readonly Diagnostic[]): Set<string> {
  return new Set(failures.map(placeOf).filter((place) => place !== undefined));
}

/** The warnings of a tree that passes are no failures. */
function errorsOf({ diagnostics, passed }: Compared): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 || passed ? errors : diagnostics;
}

function testIdsOf(diagnostics: readonly Diagnostic[]): Set<string> {
  return new Set(diagnostics.map(({ test_id }) => test_id).filter((id) => id !== undefined));
}
