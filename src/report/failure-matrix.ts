import type { Diagnostic, Evaluation } from '../schema/generated.ts';

/** State of a failure after an attempt, compared with the tree that the attempt started from. */
export type FailureChange = 'fixed' | 'same' | 'new';

/** One failure over the attempts of a loop. A test that fails with another message is the same failure. */
export interface FailureRow {
  /** Unique in the matrix: the check and the test's id; without a test, the check and the fingerprint. */
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
  const present = new Map<number, ReadonlySet<string>>();
  present.set(0, addFailures(rows, baseline, true));
  for (const { iteration, startedFrom, evaluation } of attempts) {
    if (evaluation === null) continue;
    const before = present.get(startedFrom);
    const now = addFailures(rows, evaluation, false);
    present.set(iteration, now);
    for (const key of now) rows.get(key)!.changes.set(iteration, before?.has(key) === true ? 'same' : 'new');
    for (const key of before ?? []) if (!now.has(key)) rows.get(key)!.changes.set(iteration, 'fixed');
  }
  return [...rows.values()].map(({ fingerprints, ...row }) => ({ ...row, fingerprints: [...fingerprints] }));
}

/** Number of failures that an attempt fixed, left unchanged and added. */
export function countChanges(
  rows: readonly FailureRow[],
  iteration: number,
): Readonly<Record<FailureChange, number>> {
  const counts = { fixed: 0, same: 0, new: 0 };
  for (const { changes } of rows) {
    const change = changes.get(iteration);
    if (change !== undefined) counts[change] += 1;
  }
  return counts;
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

/** Adds the failures of an evaluation to the rows; returns their keys. */
function addFailures(
  rows: Map<string, MutableRow>,
  evaluation: Evaluation | null,
  inBaseline: boolean,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const diagnostic of evaluation?.diagnostics ?? []) {
    if (diagnostic.severity !== 'error') continue;
    const key = `${diagnostic.check}\0${diagnostic.test_id ?? diagnostic.fingerprint}`;
    const row = rows.get(key) ?? {
      key,
      diagnostic,
      inBaseline,
      fingerprints: new Set<string>(),
      changes: new Map<number, FailureChange>(),
    };
    row.fingerprints.add(diagnostic.fingerprint);
    rows.set(key, row);
    keys.add(key);
  }
  return keys;
}
