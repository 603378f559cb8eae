import type { CheckReport } from '../../ports/evaluation.ts';
import type { TestCase } from '../../schema/generated.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** Stands in an id for a title that is another one in each run, for example because it has the time in it. */
const CHANGING = '(a title that changes with each run)';

/**
 * The tests of a run, of which a second run of the same files is known: those that the second one does not have are named by their
 * file and their number. Only where the second run has as many others in the same file; else they stay as they are, and are
 * missing where they do not run.
 */
export function withChangingTitles(
  run: readonly TestCase[],
  again: readonly TestCase[],
): readonly TestCase[] {
  const lost = byFile(othersThan(again, run));
  const fresh = byFile(othersThan(run, again));
  const changing = [...lost].filter(([file, tests]) => fresh.get(file)?.length === tests.length);
  const ids = new Map(changing.flatMap(([, tests]) => tests.map((test, at) => [test.id, placeOf(test, at)])));
  return ids.size === 0 ? run : run.map((test) => ({ ...test, id: ids.get(test.id) ?? test.id }));
}

/** Whether tests that are missing in a run may have run under other titles. */
export function mayHaveChanged(
  missing: readonly string[],
  run: readonly TestCase[],
  now: readonly TestCase[],
): boolean {
  const ids = new Set(missing);
  const lost = byFile(run.filter(({ id }) => ids.has(id)));
  const fresh = byFile(othersThan(run, now));
  return lost.size > 0 && [...lost].every(([file, tests]) => (fresh.get(file)?.length ?? 0) >= tests.length);
}

/** A report in which tests under new titles have the ids of those of the baseline whose titles change, file by file. */
export function withKnownTitles(report: CheckReport, baseline: readonly TestCase[]): CheckReport {
  const places = byFile(baseline.filter(({ id }) => id.includes(CHANGING)));
  if (places.size === 0) return report;
  const fresh = byFile(othersThan(baseline, report.tests));
  const ids = new Map(
    [...places].flatMap(([file, tests]) =>
      (fresh.get(file) ?? []).slice(0, tests.length).map(({ id }, at) => [id, tests[at]!.id] as const),
    ),
  );
  return {
    ...report,
    tests: report.tests.map((test) => ({ ...test, id: ids.get(test.id) ?? test.id })),
    diagnostics: report.diagnostics.map((it) =>
      it.test_id === undefined ? it : { ...it, test_id: ids.get(it.test_id) ?? it.test_id },
    ),
  };
}

/** Those of `tests` that are not in `known`. */
function othersThan(known: readonly TestCase[], tests: readonly TestCase[]): TestCase[] {
  const ids = new Set(known.map(({ id }) => id));
  return tests.filter(({ id, name, status }) => !ids.has(id) && name !== FILE_CASE && status !== 'skipped');
}

function byFile(tests: readonly TestCase[]): Map<string, TestCase[]> {
  const files = new Map<string, TestCase[]>();
  for (const test of tests) files.set(test.file ?? '', [...(files.get(test.file ?? '') ?? []), test]);
  return files;
}

/** The id without the title, which stands at its end. */
function placeOf({ id, name }: TestCase, at: number): string {
  return `${id.slice(0, Math.max(0, id.lastIndexOf(name)))}${CHANGING} #${at + 1}`;
}
