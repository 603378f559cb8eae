import { compareFailures, deltaOf, occurrenceOf } from '../schema/compare-failures.ts';
import type { Diagnostic, DiagnosticDelta, Evaluation } from '../schema/generated.ts';

/**
 * State of a failure after an attempt, compared with the tree that the attempt started from; `unseen`: its test or check did
 * not report again; `passing`: it is gone although no code was changed.
 */
export type FailureChange = keyof Omit<DiagnosticDelta, 'code_as_it_was'>;

/** One failure over the attempts of a loop. A test that fails with another message is the same failure. */
export interface FailureRow {
  /** Unique in the matrix: the check and the test's id; without a test, the check, the fingerprint and which place of it. */
  readonly key: string;
  /** All fingerprints of this failure. */
  readonly fingerprints: readonly string[];
  /** The first occurrence. */
  readonly diagnostic: Diagnostic;
  /** True if it failed before the first attempt. */
  readonly inBaseline: boolean;
  /** By iteration; no entry for attempts that neither have nor fixed this failure. */
  readonly changes: ReadonlyMap<number, FailureChange>;
}

/** The parts of an attempt that the matrix is built from. */
export interface JudgedAttempt {
  readonly iteration: number;
  /** Attempt whose tree this one started from; 0 is the base. */
  readonly startedFrom: number;
  readonly evaluation: Evaluation | null;
}

/** Failures by attempt, in order of first occurrence. Attempts without an evaluation are left out. */
export function failureMatrix(
  baseline: Evaluation | null,
  attempts: readonly JudgedAttempt[],
): readonly FailureRow[] {
  const rows = new Map<string, MutableRow>();
  const present = new Map<number, ReadonlyMap<string, Diagnostic>>();
  const evaluations = new Map([[0, baseline]]);
  present.set(0, addFailures(rows, baseline, true));
  for (const { iteration, startedFrom, evaluation } of attempts) {
    if (evaluation === null) continue;
    const before = present.get(startedFrom);
    const now = addFailures(rows, evaluation, false);
    present.set(iteration, now);
    evaluations.set(iteration, evaluation);
    const start = evaluations.get(startedFrom) ?? null;
    const changeOf = start === null ? () => undefined : changesBetween(start, evaluation);
    for (const [key, failure] of now)
      rows
        .get(key)!
        .changes.set(iteration, before?.has(key) === true ? 'same' : (changeOf(failure) ?? 'new'));
    for (const [key, failure] of before ?? []) {
      const change = now.has(key) ? undefined : changeOf(failure);
      if (change !== undefined) rows.get(key)!.changes.set(iteration, change);
    }
  }
  return [...rows.values()].map(({ fingerprints, ...row }) => ({ ...row, fingerprints: [...fingerprints] }));
}

/** What became of a failure by its check and its test or error; undefined where it stands in another row now. */
function changesBetween(
  start: Evaluation,
  evaluation: Evaluation,
): (failure: Diagnostic) => FailureChange | undefined {
  const { fixed, passing, unseen, moved } = compareFailures(start, evaluation);
  const lists = { fixed, passing, unseen, same: moved };
  const changes = new Map(
    Object.entries(lists).flatMap(([change, failures]) =>
      failures.map((failure) => [identityOf(failure), change as FailureChange] as const),
    ),
  );
  return (failure) => changes.get(identityOf(failure));
}

/** Failures that an attempt fixed, left as they were, added, and that did not report again. */
export type ChangeCounts = Readonly<Record<FailureChange, number>>;

/** The counts of an attempt, compared with the tree that it started from: those of the run and of its reflection. */
export function countChanges(
  baseline: Evaluation | null,
  attempts: readonly JudgedAttempt[],
  iteration: number,
): ChangeCounts {
  const { startedFrom, evaluation } = attempts.find((one) => one.iteration === iteration)!;
  const start =
    startedFrom === 0 ? baseline : attempts.find((one) => one.iteration === startedFrom)?.evaluation;
  return countsOf(deltaOf(evaluation ?? NOTHING, evaluation === null ? undefined : (start ?? NOTHING)));
}

/** A tree of which nothing is known. */
const NOTHING: Parameters<typeof deltaOf>[0] = { diagnostics: [], checks: [], tests: [], passed: false };

/** The lengths of the lists. */
export function countsOf({
  fixed,
  same,
  new: fresh,
  unseen = [],
  passing = [],
}: DiagnosticDelta): ChangeCounts {
  const counts = { fixed: fixed.length, same: same.length, new: fresh.length };
  return { ...counts, unseen: unseen.length, passing: passing.length };
}

/** `1 fixed, 2 same, 0 new`, and what did not report again, or passes with the code as it was, where there is something. */
export function renderCounts({ fixed, same, new: fresh, unseen, passing }: ChangeCounts): string {
  const more = [
    ...(passing === 0 ? [] : [`${passing} passing with the code as it was`]),
    ...(unseen === 0 ? [] : [`${unseen} not reported again`]),
  ];
  return [`${fixed} gone`, `${same} same`, `${fresh} new`, ...more].join(', ');
}

/** Display name of a failure: the test, or the rule with the first line of the message. */
export function failureName({ test_id: test, rule, message }: Diagnostic): string {
  const first = message.split('\n', 1)[0]!;
  if (test !== undefined) return rule ?? test;
  return rule === undefined ? first : `${rule}: ${first}`;
}

/** `src/cart.ts:25`; empty for a failure without a file. */
export function failurePlace({ file, line }: Pick<Diagnostic, 'file' | 'line'>): string {
  return file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`;
}

interface MutableRow extends Omit<FailureRow, 'fingerprints' | 'changes'> {
  readonly fingerprints: Set<string>;
  readonly changes: Map<number, FailureChange>;
}

/** The check with the test or the error. */
function identityOf({ check, test_id: id, fingerprint }: Diagnostic): string {
  return `${check}\0${id ?? fingerprint}`;
}

/** Adds the failures of an evaluation to the rows; returns them by their keys. */
function addFailures(
  rows: Map<string, MutableRow>,
  evaluation: Evaluation | null,
  inBaseline: boolean,
): ReadonlyMap<string, Diagnostic> {
  const keys = new Map<string, Diagnostic>();
  const places = new Map<string, Set<string>>();
  for (const diagnostic of evaluation?.diagnostics ?? []) {
    if (diagnostic.severity !== 'error') continue;
    const identity = identityOf(diagnostic);
    const known = places.get(identity) ?? new Set();
    places.set(identity, known.add(occurrenceOf(diagnostic)));
    const isOfTest = diagnostic.test_id !== undefined;
    const key = isOfTest || known.size === 1 ? identity : `${identity}\0${known.size}`;
    const row = rows.get(key) ?? {
      key,
      diagnostic,
      inBaseline,
      fingerprints: new Set<string>(),
      changes: new Map<number, FailureChange>(),
    };
    row.fingerprints.add(diagnostic.fingerprint);
    rows.set(key, row);
    keys.set(key, diagnostic);
  }
  return keys;
}
