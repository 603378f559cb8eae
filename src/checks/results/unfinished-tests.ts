import { plural } from '../../platform/text/plural.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { Diagnostic, TestCase } from '../../schema/generated.ts';
import { createDiagnostic } from './diagnostics.ts';
import { endedBefore } from './ended-before.ts';
import { createTreePaths } from './tree-paths.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** Rule of the note on tests that did not run to an end in a file that passed. */
export const UNFINISHED = 'unfinished-tests';

interface Tree {
  /** Absolute path. */
  readonly root: string;
  /** The tests of the tree before any change; undefined if this is that tree. */
  readonly baseline?: readonly TestCase[] | undefined;
}

/**
 * The report with unfinished tests as skipped, and a note on each of their files, where the runner counts the file as passed:
 * the repository's own command is green. In a changed tree only those that were skipped before.
 */
export function withoutUnfinished(report: CheckReport, { root, baseline }: Tree): CheckReport {
  const passed = new Set(report.tests.filter(isPassedFile).map(({ file }) => file));
  const skipped = baseline && new Set(baseline.filter(isSkipped).map(({ id }) => id));
  const ended = report.diagnostics.flatMap((it) =>
    it.message === endedBefore('test') && it.test_id !== undefined ? [it.test_id] : [],
  );
  const isLeft = ({ id, file, status }: TestCase): boolean =>
    status === 'failed' && ended.includes(id) && passed.has(file) && skipped?.has(id) !== false;
  const left = new Set(report.tests.filter(isLeft).map(({ id }) => id));
  if (left.size === 0) return report;
  const tests = report.tests.map((it): TestCase => (left.has(it.id) ? { ...it, status: 'skipped' } : it));
  const others = report.diagnostics.filter(({ test_id: id }) => id === undefined || !left.has(id));
  const notes = [...passed].flatMap((file) => noteOn(file, report, { root, left }));
  const failed = report.failed - left.size;
  const isGreen = report.status === 'fail' && failed === 0 && !others.some(isError);
  return {
    ...report,
    tests,
    failed,
    skipped: report.skipped + left.size,
    total: report.total - left.size,
    errors: others.filter(isError).length,
    diagnostics: [...others, ...notes],
    status: isGreen ? 'pass' : report.status,
  };
}

function isPassedFile({ name, status }: TestCase): boolean {
  return name === FILE_CASE && status === 'passed';
}

function isSkipped({ status }: TestCase): boolean {
  return status === 'skipped';
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function noteOn(
  file: string | undefined,
  { name, tests }: CheckReport,
  { root, left }: { readonly root: string; readonly left: ReadonlySet<string> },
): Diagnostic[] {
  const count = tests.filter((it) => it.file === file && left.has(it.id)).length;
  if (count === 0) return [];
  const message = `${plural(count, 'test')} of ${file} did not run to an end: the process ended before. The runner counts the file as passed, and they count as skipped.`;
  const fields = { type: 'other', check: name, severity: 'warning', rule: UNFINISHED } as const;
  return [createDiagnostic({ ...fields, file, message }, createTreePaths(root, root))];
}
