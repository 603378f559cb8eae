import type { Diagnostic, Evaluation } from '../schema/generated.ts';

/** How a failure stands after an attempt, against the tree that the attempt started from. */
export type FailureChange = 'fixed' | 'same' | 'new';

/** One failure over the attempts of a loop. A test that fails with other words is the same failure. */
export interface FailureRow {
  /** Unique in its matrix: the check with the test's id, or with the fingerprint of what is no test. */
  readonly key: string;
  /** Every fingerprint that it had. */
  readonly fingerprints: readonly string[];
  /** As it was seen first. */
  readonly diagnostic: Diagnostic;
  /** It was there before the first attempt. */
  readonly inBaseline: boolean;
  /** By iteration; an attempt after which it was not there, and that did not mend it, has none. */
  readonly changes: ReadonlyMap<number, FailureChange>;
}

export interface JudgedAttempt {
  readonly iteration: number;
  /** Attempt whose tree it went on from; 0 is the base. */
  readonly startedFrom: number;
  readonly evaluation: Evaluation | null;
}

/** What failed when, in the order in which it was first seen. Attempts without an evaluation have no column. */
export function failureMatrix(
  baseline: Evaluation | null,
  attempts: readonly JudgedAttempt[],
): readonly FailureRow[] {
  const rows = new Map<string, MutableRow>();
  const present = new Map<number, ReadonlySet<string>>();
  present.set(0, note(rows, baseline, true));
  for (const { iteration, startedFrom, evaluation } of attempts) {
    if (evaluation === null) continue;
    const before = present.get(startedFrom);
    const now = note(rows, evaluation, false);
    present.set(iteration, now);
    for (const key of now) rows.get(key)!.changes.set(iteration, before?.has(key) === true ? 'same' : 'new');
    for (const key of before ?? []) if (!now.has(key)) rows.get(key)!.changes.set(iteration, 'fixed');
  }
  return [...rows.values()].map(({ fingerprints, ...row }) => ({ ...row, fingerprints: [...fingerprints] }));
}

/** How many failures an attempt fixed, left and brought. */
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

/** The name that people know a failure by: the test, or the rule with its message. */
export function failureName({ test_id: test, rule, message }: Diagnostic): string {
  const first = message.split('\n', 1)[0]!;
  if (test !== undefined) return rule ?? test;
  return rule === undefined ? first : `${rule}: ${first}`;
}

/** `src/cart.ts:25`; empty for what has no place. */
export function failurePlace({ file, line }: Pick<Diagnostic, 'file' | 'line'>): string {
  return file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`;
}

interface MutableRow extends Omit<FailureRow, 'fingerprints' | 'changes'> {
  readonly fingerprints: Set<string>;
  readonly changes: Map<number, FailureChange>;
}

/** Adds what fails in an evaluation to the rows; gives the keys of what fails. */
function note(
  rows: Map<string, MutableRow>,
  evaluation: Evaluation | null,
  inBaseline: boolean,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const diagnostic of evaluation?.diagnostics ?? []) {
    if (diagnostic.severity !== 'error') continue;
    const key = `${diagnostic.check}\0${diagnostic.test_id ?? diagnostic.fingerprint}`;
    const row = rows.get(key) ?? {
      ...{ key, diagnostic, inBaseline },
      fingerprints: new Set<string>(),
      changes: new Map<number, FailureChange>(),
    };
    row.fingerprints.add(diagnostic.fingerprint);
    rows.set(key, row);
    keys.add(key);
  }
  return keys;
}
