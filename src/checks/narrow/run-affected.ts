import { plural } from '../../platform/text/plural.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport, CheckRequest } from '../../ports/evaluation.ts';
import type { TestCase } from '../../schema/generated.ts';
import { findAffectedTests } from './affected-tests.ts';
import { sharedFiles } from './shared-files.ts';

/** A check of a changed tree, and what is known of the tree before the change. */
export interface NarrowRequest {
  readonly request: CheckRequest;
  /** Files that differ, relative to the root. */
  readonly changed: readonly string[];
  /** The check's tests in the tree before the change, with the ids of its own reports. */
  readonly tests: readonly TestCase[];
  /** Time that all of its tests took; 0 if that is not known. */
  readonly wholeMs: number;
  /** No run of all tests will confirm the result. */
  readonly isFinal: boolean;
}

/** Runners that give each test file a process or a realm of its own, so that a file's result does not depend on others. */
const ISOLATED = new Set(['vitest', 'jest', 'node', 'ava']);
/** A quicker check is not worth a second start of its runner, which runs all tests if those that are reached pass. */
const MIN_MS = 3_000;
/** As above, for the final result, which starts the runner once. */
const MIN_FINAL_MS = 700;
/** Where more of the files are affected, all run. */
const MAX_SHARE = 0.8;

/**
 * Runs the test files that a change can affect, with those that failed before it. The results of the others are taken
 * from the tree before the change. Undefined where that is unsafe, or saves nothing.
 */
export async function runAffected(
  check: Check,
  { request, changed, tests, wholeMs, isFinal }: NarrowRequest,
): Promise<CheckReport | undefined> {
  const { plan } = check;
  const isApart =
    plan.kind === 'tests' &&
    ISOLATED.has(plan.tool) &&
    plan.setup.length === 0 &&
    !plan.args.some((arg) => arg.startsWith('--typecheck'));
  const leastMs = isFinal ? MIN_FINAL_MS : MIN_MS;
  if (!isApart || wholeMs < leastMs || changed.length === 0) return undefined;
  if (tests.some(({ file }) => file === undefined)) return undefined;
  const testFiles = [...new Set(tests.map(({ file }) => file!))];
  const { root } = request;
  const shared = sharedFiles(plan, root).filter((file) => !testFiles.includes(file));
  const affected = findAffectedTests({ root, changed, testFiles, shared, isStrict: isFinal });
  if (affected === undefined) return undefined;
  const failed = tests.filter(({ status }) => status === 'failed').map(({ file }) => file!);
  const files = [...new Set([...failed, ...affected])];
  if (files.length === 0 || files.length > MAX_SHARE * testFiles.length) return undefined;
  const report = await check.run({ ...request, files });
  if (report.status === 'error') return undefined;
  return withOthers(report, { tests, ran: new Set(files) });
}

interface Others {
  readonly tests: readonly TestCase[];
  /** The test files that ran. */
  readonly ran: ReadonlySet<string>;
}

/** Files that failed all ran again: the others are green. */
function withOthers(report: CheckReport, { tests, ran }: Others): CheckReport {
  const others = tests.filter(({ file }) => !ran.has(file!));
  const count = (status: TestCase['status']): number =>
    others.filter((test) => test.status === status).length;
  const files = new Set(others.map(({ file }) => file)).size;
  const [passed, skipped] = [count('passed'), count('skipped')];
  return {
    ...report,
    tests: [...report.tests, ...others],
    passed: report.passed + passed,
    skipped: report.skipped + skipped,
    total: report.total + passed,
    reused: others.length,
    detail: `${report.detail} ${plural(ran.size, 'test file')} ran; the change does not reach the other ${files}.`,
  };
}
