import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckPlan, CheckReport, Narrowing } from '../../ports.ts';
import type { AttemptContext } from '../../ports.ts';
import type { TestCase } from '../../schema/generated.ts';
import { parseSource } from '../syntax/parse.ts';
import { withTexts } from './temporary-files.ts';
import { readRecords, type TrialPlan, type TrialRecord } from './protocol.ts';
import { killStalled } from './watch.ts';
import { wrapTests } from './wrap-tests.ts';
import { programFile } from '../../platform/package-files.ts';
import { toolOf } from '../../tools.ts';

/** Where and with what trials run: one test file of one check. */
export interface TrialGround {
  readonly context: AttemptContext;
  readonly check: CheckPlan;
  /** Relative to the root. */
  readonly testFile: string;
  /** Tests to run in it; all when absent. */
  readonly only?: readonly TestCase[];
  /** How long the unchanged tests may take, each; 5 seconds when absent. */
  readonly originalMs?: number;
}

export interface InstrumentedRun {
  /** Of each process. */
  readonly processes: readonly (readonly TrialRecord[])[];
  readonly report: CheckReport;
}

const RUNTIME = programFile('repair/trial/runtime');
const NO_TEST_LIMIT_MS = 3_600_000;
const ORIGINAL_MS = 5000;
const START_MS = 20_000;
/** A candidate that gathers without end is to cost seconds, not the machine. */
const MEMORY_MB = 1024;
/** What a candidate may take beyond its own limits before its process is killed. */
const STALL_MS = 2000;

export type RunPlan = Omit<TrialPlan, 'callbacks' | 'records' | 'originalMs'>;

/**
 * Runs the test file through the trial runtime while the sources have other texts, and puts every file back.
 * Undefined when the test file cannot be instrumented: it does not parse, or declares no test that is understood
 * and compares with no stored snapshot, which a second run in one process would rewrite.
 */
export async function runInstrumented(
  ground: TrialGround,
  texts: ReadonlyMap<string, string>,
  plan: RunPlan,
): Promise<InstrumentedRun | undefined> {
  const { root } = ground.context;
  const parsed = parseSource(ground.testFile, await readFile(join(root, ground.testFile), 'utf8'));
  if ('problem' in parsed) return undefined;
  const scratch = await mkdtemp(join(tmpdir(), 'ralph-trials-'));
  try {
    const planFile = join(scratch, 'plan.json');
    const records = join(scratch, 'records');
    await mkdir(records);
    const { dialect } = toolOf(ground.check.tool);
    const limit = dialect?.hasTimeLimitArgument === true ? { testTimeoutMs: NO_TEST_LIMIT_MS } : {};
    const wrapped = wrapTests(parsed, { runtime: RUNTIME, planFile, ...limit });
    if (wrapped.tests === 0) return undefined;
    const callbacks = dialect?.isPromiseOnly !== true;
    const full: TrialPlan = { ...plan, callbacks, records, originalMs: ground.originalMs ?? ORIGINAL_MS };
    await writeFile(planFile, JSON.stringify(full));
    const all = new Map([...texts, [ground.testFile, wrapped.text]]);
    const endWatch = killStalled(records, STALL_MS);
    const timeoutMs = plan.processBudgetMs + START_MS;
    const runs = (): Promise<CheckReport[]> =>
      Promise.all(Array.from({ length: plan.shards }, () => runTests(ground, { scratch, timeoutMs })));
    const reports = await withTexts(root, all, runs).finally(endWatch);
    return { processes: readRecords(records), report: reports[0]! };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function runTests(
  { context, check, testFile, only }: TrialGround,
  { scratch, timeoutMs }: { readonly scratch: string; readonly timeoutMs: number },
): Promise<CheckReport> {
  const bounds = { timeoutMs, memoryMb: MEMORY_MB, signal: context.signal };
  const narrowing: Narrowing = { files: [testFile], writable: [scratch], ...bounds };
  return context.bench.run(check.name, only === undefined ? narrowing : { ...narrowing, only });
}
