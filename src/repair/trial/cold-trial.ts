import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { TestCase } from '../../schema/generated.ts';
import { applyEdits, type Candidate } from '../syntax/edit.ts';
import { withTexts } from './temporary-files.ts';

/** Between the parts of a test's id. */
const SEPARATOR = ' > ';

/** The effect of one candidate on the checks, run in processes of its own. */
export interface ColdVerdict {
  readonly candidate: Candidate;
  /** Ids of tests that pass with the candidate and did not pass before. */
  readonly fixed: readonly string[];
  /** Ids of tests that passed before and do not pass with the candidate. */
  readonly broken: readonly string[];
  /** Names of other checks that passed before and fail with the candidate. */
  readonly spoiledChecks: readonly string[];
  /** Command line of the test run. */
  readonly command: string;
}

export interface ColdOptions {
  /** Name of the check that runs the tests. */
  readonly check: string;
  /** Test files to run; all when absent. */
  readonly files?: readonly string[];
  /** The tests' results without the candidate, of all checks. */
  readonly before: readonly TestCase[];
  readonly timeoutMs: number;
  /** Also run the type checker and the linter, if they passed before. */
  readonly otherChecks: boolean;
}

/** Applies a candidate, runs the checks and restores the file. Never rejects because of the tested code. */
export async function tryCold(
  context: AttemptContext,
  candidate: Candidate,
  options: ColdOptions,
): Promise<ColdVerdict> {
  const { file } = candidate.edits[0]!;
  const text = applyEdits(await readTreeText(join(context.root, file)), candidate.edits);
  return await withTexts(context.root, new Map([[file, text]]), async () => {
    const { signal } = context;
    const { files, timeoutMs } = options;
    const report = await context.bench.run(options.check, { signal, timeoutMs, files });
    const before = context.bench.testsOf(options.check, options.before);
    const { fixed, broken } = compareTests(before, report, files);
    const useful = options.otherChecks && fixed.length > 0 && broken.length === 0;
    const spoiledChecks = useful ? await spoiledBy(context, timeoutMs) : [];
    return { candidate, fixed, broken, spoiledChecks, command: report.command };
  });
}

/**
 * Tests that the candidate fixes and breaks. A test that passed and is not reported any more counts as broken; one
 * that was not reported before and passes counts as fixed, because its file did not load or did not end.
 * `files` are the test files that ran, all if absent.
 */
export function compareTests(
  before: readonly TestCase[],
  { tests }: Pick<CheckReport, 'tests'>,
  files: readonly string[] | undefined,
): { fixed: string[]; broken: string[] } {
  const known = new Map(before.map(({ id, status }) => [id, status]));
  const passing = tests
    .filter(({ status }) => status === 'passed')
    .map(({ id }) => (known.has(id) || files === undefined ? id : idBefore(id, before, files)));
  const asked = before.filter(({ file, id }) =>
    file === undefined ? isUnder({ file, id }, files) : files === undefined || files.includes(file),
  );
  const still = new Set(passing);
  return {
    fixed: passing.filter((id) => (known.get(id) ?? 'failed') === 'failed'),
    broken: asked.filter(({ id, status }) => status === 'passed' && !still.has(id)).map(({ id }) => id),
  };
}

/** The id, in a run of all files, of a test of some files that were run alone; the same where there is none. */
function idBefore(id: string, before: readonly TestCase[], files: readonly string[]): string {
  return before.find((it) => isUnder(it, files, id))?.id ?? id;
}

/**
 * True for a test that a runner reports without a file and under its name (`add.test.js > test 1`), where that is one of
 * the files; `alone` is how the file names the test when it is run alone.
 */
function isUnder(
  { file, id }: Pick<TestCase, 'file' | 'id'>,
  files: readonly string[] | undefined,
  alone?: string,
): boolean {
  if (file !== undefined) return false;
  if (files === undefined) return true;
  const [name = '', ...rest] = id.split(SEPARATOR);
  return (
    files.some((path) => path === name || path.endsWith(`/${name}`)) &&
    (alone === undefined || rest.join(SEPARATOR) === alone)
  );
}

async function spoiledBy(
  { project, evaluation, bench, signal }: AttemptContext,
  timeoutMs: number,
): Promise<string[]> {
  const passing = new Set(
    evaluation.checks.filter(({ status }) => status === 'pass').map(({ name }) => name),
  );
  const repeated = project.checks.filter(
    ({ kind, name }) => (kind === 'types' || kind === 'lint') && passing.has(name),
  );
  const reports = await Promise.all(repeated.map(({ name }) => bench.run(name, { signal, timeoutMs })));
  return reports.filter(({ status }) => status === 'fail').map(({ name }) => name);
}
