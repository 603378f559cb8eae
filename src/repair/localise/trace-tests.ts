import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { parseSource, type ParsedSource } from '../syntax/parse.ts';
import { whyNotSearched } from '../syntax/why-not-searched.ts';
import { likelySources } from './likely-sources.ts';
import type { TracedTest } from './localise.ts';
import { searchedFiles } from './searched-files.ts';
import { instrumentForTrace, keepLoading, type TracedStatement } from './trace.ts';

/** One test file of one check. */
export interface TestFile {
  readonly context: AttemptContext;
  readonly check: CheckPlan;
  /** Relative to the root. */
  readonly testFile: string;
}

/** Result of running a test file over instrumented sources. */
export interface TracedRun {
  /** In the order in which they ran. */
  readonly tests: readonly TracedTest[];
  /** Ids of the statements that are reached while modules load. */
  readonly loading: readonly number[];
  readonly report: CheckReport;
}

/**
 * Runs every test of the file while the sources, by their path relative to the root, have other texts, and restores
 * them. Undefined if the test file cannot be instrumented.
 */
export type RunTraced = (
  test: TestFile,
  texts: ReadonlyMap<string, string>,
) => Promise<TracedRun | undefined>;

/** Statements that each test of a file reaches. */
export interface TestTrace {
  /** Parsed sources that the tests may reach, those in the failures' stacks first. */
  readonly sources: readonly ParsedSource[];
  /** Reasons why other sources are not searched, for example `src/a.js is minified`. */
  readonly passedOver: readonly string[];
  readonly statements: readonly TracedStatement[];
  /** Number of instrumented files. */
  readonly tracedFiles: number;
  /** Empty if the test file cannot be traced. */
  readonly tests: readonly NamedTest[];
  /** Ids of the statements that are reached while modules load. */
  readonly loading: readonly number[];
  /** Command line of the traced run; absent if nothing ran. */
  readonly command?: string;
}

/** `id` is absent if the runner's report does not match the order in which the tests ran. */
export interface NamedTest extends TracedTest {
  readonly id?: string;
}

const MAX_FILES = 40;

/** Runs every test of the file once over instrumented copies of the sources. */
export async function traceTests(
  test: TestFile,
  diagnostics: readonly Diagnostic[],
  runTraced: RunTraced,
): Promise<TestTrace> {
  const { sources, passedOver } = await readSources(test, diagnostics);
  const { statements, texts } = instrumentAll(sources);
  const known = { sources, passedOver, statements, tracedFiles: texts.size };
  const run = texts.size === 0 ? undefined : await runTraced(test, texts);
  if (run === undefined) return { ...known, tests: [], loading: [] };
  return { ...known, tests: withIds(run), loading: run.loading, command: run.report.command };
}

/** The report and the trace list tests in the order in which they ran, if their lengths and results agree. */
function withIds({ tests, report }: TracedRun): NamedTest[] {
  const reported = report.tests.filter(({ status }) => status !== 'skipped');
  const agree =
    reported.length === tests.length &&
    reported.every(({ status }, at) => (status === 'passed') === tests[at]!.passed);
  return tests.map((test, at) => (agree ? { ...test, id: reported[at]!.id } : test));
}

async function readSources(
  { context, testFile }: TestFile,
  diagnostics: readonly Diagnostic[],
): Promise<Pick<TestTrace, 'sources' | 'passedOver'>> {
  const { root } = context;
  const isSource = searchedFiles(context);
  const reached = await likelySources(root, testFile, { limit: MAX_FILES, isSource });
  const inStacks = diagnostics
    .flatMap(({ file, frames = [] }) => [...frames.map((frame) => frame.file), file])
    .filter((file): file is string => file !== undefined && isSource(file));
  const files = [...new Set([...inStacks, ...reached])].slice(0, MAX_FILES);
  const sources: ParsedSource[] = [];
  const passedOver: string[] = [];
  for (const file of files) {
    const text = await readTreeText(join(root, file)).catch(() => undefined);
    if (text === undefined) continue;
    const problem = whyNotSearched(file, text);
    const parsed = problem === undefined ? parseSource(file, text) : { problem };
    if ('problem' in parsed) passedOver.push(parsed.problem);
    else sources.push(parsed);
  }
  return { sources, passedOver };
}

function instrumentAll(sources: readonly ParsedSource[]): {
  statements: TracedStatement[];
  texts: Map<string, string>;
} {
  const statements: TracedStatement[] = [];
  const texts = new Map<string, string>();
  for (const parsed of sources) {
    const traced = instrumentForTrace(parsed, statements.length, [keepLoading(parsed)], {
      hasEmptyBodies: true,
    });
    if (traced.statements.length === 0) continue;
    statements.push(...traced.statements);
    texts.set(parsed.file, traced.text);
  }
  return { statements, texts };
}
