import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckReport } from '../../ports.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { whyNotSearched } from '../operators/candidates.ts';
import { likelySources } from './likely-sources.ts';
import type { TracedTest } from './localise.ts';
import { parseSource, type ParsedSource } from '../syntax/parse.ts';
import { isEditableSource } from '../syntax/source-files.ts';
import { instrumentForTrace, type TracedStatement } from './trace.ts';
import { runInstrumented, type TrialTarget } from '../trial/instrumented-run.ts';

/** What the tests of one file reach, statement by statement. */
export interface TestTrace {
  /** Files that the tests may reach, those in the failures' stacks first. */
  readonly sources: readonly ParsedSource[];
  /** Why others of them are not searched, such as `src/a.js is minified`. */
  readonly passedOver: readonly string[];
  readonly statements: readonly TracedStatement[];
  /** Files whose statements were watched. */
  readonly tracedFiles: number;
  /** Empty where the test file cannot be traced. */
  readonly tests: readonly NamedTest[];
  /** The command line that ran them, where one did. */
  readonly command?: string;
}

/** `id` is absent where the runner's report does not tell the tests apart as they ran. */
export interface NamedTest extends TracedTest {
  readonly id?: string;
}

const MAX_FILES = 40;
const MAX_FILE_CHARS = 300_000;
const TRACE_BUDGET_MS = 30_000;

/** Runs every test of the file once, over copies of the sources that say which statements are reached. */
export async function traceTests(
  ground: TrialTarget,
  diagnostics: readonly Diagnostic[],
): Promise<TestTrace> {
  const { sources, passedOver } = await readSources(ground, diagnostics);
  const { statements, texts } = instrumentAll(sources);
  const known = { sources, passedOver, statements, tracedFiles: texts.size };
  if (texts.size === 0) return { ...known, tests: [] };
  const run = await runInstrumented({ ...ground, only: undefined }, texts, {
    mode: 'trace',
    ids: [],
    careful: [],
    shards: 1,
    minCandidateMs: 0,
    testBudgetMs: 0,
    processBudgetMs: TRACE_BUDGET_MS,
  });
  if (run === undefined) return { ...known, tests: [] };
  const tests = run.processes
    .flat()
    .flatMap((record) =>
      record.type === 'test' && record.hits !== undefined
        ? [{ passed: record.passed, hits: record.hits }]
        : [],
    );
  return { ...known, tests: withNames(tests, run.report), command: run.report.command };
}

/** Both lists are in the order in which the tests ran, where they have the same length and the same results. */
function withNames(tests: readonly TracedTest[], { tests: reported }: CheckReport): NamedTest[] {
  const ran = reported.filter(({ status }) => status !== 'skipped');
  const agree =
    ran.length === tests.length && ran.every(({ status }, at) => (status === 'passed') === tests[at]!.passed);
  return tests.map((test, at) => (agree ? { ...test, id: ran[at]!.id } : test));
}

async function readSources(
  { context: { root }, testFile }: TrialTarget,
  diagnostics: readonly Diagnostic[],
): Promise<Pick<TestTrace, 'sources' | 'passedOver'>> {
  const reached = await likelySources(root, testFile, MAX_FILES);
  const framed = diagnostics
    .flatMap(({ file, frames = [] }) => [...frames.map((frame) => frame.file), file])
    .filter((file): file is string => file !== undefined && isEditableSource(file));
  const files = [...new Set([...framed, ...reached])].slice(0, MAX_FILES);
  const sources: ParsedSource[] = [];
  const passedOver: string[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const problem = text.length > MAX_FILE_CHARS ? `${file} is very large` : whyNotSearched(file, text);
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
    const traced = instrumentForTrace(parsed, statements.length);
    if (traced.statements.length === 0) continue;
    statements.push(...traced.statements);
    texts.set(parsed.file, traced.text);
  }
  return { statements, texts };
}
