import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckReport, Narrowing } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { TestCase } from '../../schema/generated.ts';
import { parseSource } from '../syntax/parse.ts';
import { withTexts } from './temporary-files.ts';
import { readRecords, type TrialPlan, type TrialRecord } from './protocol.ts';
import { killStalled } from './kill-stalled.ts';
import { wrapTests } from './instrument/wrap-tests.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { programFile } from '../../platform/package-files.ts';
import { toolOf } from '../../tools.ts';

/** One test file of one check to run with instrumented sources. */
export interface InstrumentedTarget {
  readonly context: Pick<AttemptContext, 'root' | 'bench' | 'signal'>;
  readonly check: CheckPlan;
  /** Relative to the root. */
  readonly testFile: string;
  /** Tests of the file to run; all if absent. */
  readonly only?: readonly TestCase[];
  /** Time limit of each unchanged test; 5 seconds if absent. */
  readonly originalMs?: number;
}

/** The tests that trials run in an attempt. */
export interface TrialTarget extends InstrumentedTarget {
  readonly context: AttemptContext;
}

/** The result of running an instrumented test file in one or several processes. */
export interface InstrumentedRun {
  /** The records of each process. */
  readonly processes: readonly (readonly TrialRecord[])[];
  /** The check's report of the first process. */
  readonly report: CheckReport;
}

const RUNTIME = programFile('repair/trial/runtime');
const NO_TEST_LIMIT_MS = 3_600_000;
const ORIGINAL_MS = 5000;
const START_MS = 20_000;
/** Memory limit of the test process: a candidate that allocates without end must not exhaust the machine. */
const MEMORY_MB = 1024;
/** Time beyond a candidate's own limits after which its process is killed. */
const STALL_MS = 2000;

/** Tests that vitest or jest starts together, as in `test.concurrent(…)`. */
const CONCURRENT = /\.concurrent\b/;

/** A trial plan without the fields that `runInstrumented` fills in. */
export type RunPlan = Omit<TrialPlan, 'callbacks' | 'startsTogether' | 'records' | 'originalMs'>;

/**
 * Runs the test file through the trial runtime while `texts` (by path, relative to the root) replace the sources, and
 * restores every file. Undefined if the test file cannot be instrumented: it does not parse, or every test that it
 * declares is unknown to `wrapTests` or compares with a stored snapshot.
 */
export async function runInstrumented(
  target: InstrumentedTarget,
  texts: ReadonlyMap<string, string>,
  plan: RunPlan,
): Promise<InstrumentedRun | undefined> {
  const { root } = target.context;
  const parsed = parseSource(target.testFile, await readTreeText(join(root, target.testFile)));
  if ('problem' in parsed) return undefined;
  const scratch = makeTemporaryFolder('trials');
  try {
    const planFile = join(scratch, 'plan.json');
    const records = join(scratch, 'records');
    await mkdir(records);
    const { dialect } = toolOf(target.check.tool);
    const testTimeoutMs = dialect?.hasTimeLimitArgument === true ? NO_TEST_LIMIT_MS : undefined;
    const wrapped = wrapTests(parsed, { runtime: RUNTIME, planFile, testTimeoutMs });
    if (wrapped.tests === 0) return undefined;
    const callbacks = dialect?.isPromiseOnly !== true;
    const startsTogether = dialect?.startsTogether === true || CONCURRENT.test(parsed.text);
    const originalMs = target.originalMs ?? ORIGINAL_MS;
    const full: TrialPlan = { ...plan, callbacks, startsTogether, records, originalMs };
    await writeFile(planFile, JSON.stringify(full));
    const all = new Map([...texts, [target.testFile, wrapped.text]]);
    const stopWatching = killStalled(records, STALL_MS);
    const timeoutMs = plan.processBudgetMs + START_MS;
    const plainFiles = [...texts].flatMap(([file, text]) => (isPlainScript(text) ? [file] : []));
    const runs = (): Promise<CheckReport[]> =>
      Promise.all(
        Array.from({ length: plan.shards }, () => runTests(target, { scratch, timeoutMs, plainFiles })),
      );
    const reports = await withTexts(root, all, runs).finally(stopWatching);
    return { processes: readRecords(records), report: reports[0]! };
  } finally {
    removeTemporaryFolder(scratch);
  }
}

/** Whether Node reads a text as a CommonJS module: no import, no types, no markup. */
function isPlainScript(text: string): boolean {
  try {
    compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname']);
    return true;
  } catch {
    return false;
  }
}

function runTests(
  { context, check, testFile, only }: InstrumentedTarget,
  {
    scratch,
    timeoutMs,
    plainFiles,
  }: { readonly scratch: string; readonly timeoutMs: number; readonly plainFiles: readonly string[] },
): Promise<CheckReport> {
  const narrowing: Narrowing = {
    files: [testFile],
    only,
    writable: [scratch],
    timeoutMs,
    memoryMb: MEMORY_MB,
    loadsOwn: true,
    plainFiles,
    signal: context.signal,
  };
  return context.bench.run(check.name, narrowing);
}
