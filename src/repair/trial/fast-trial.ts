import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { Candidate } from '../syntax/edit.ts';
import { parseSource } from '../syntax/parse.ts';
import { embedCandidates, type NumberedCandidate } from './instrument/embed-candidates.ts';
import { runInstrumented, type InstrumentedTarget } from './instrumented-run.ts';
import { parallelProcesses } from './process-count.ts';
import { TrialLedger, type FastVerdict } from './trial-ledger.ts';

/** The result of trying many candidates in shared processes. */
export interface FastResult {
  readonly verdicts: readonly FastVerdict[];
  /** Candidates that a shared process cannot judge: each needs a cold trial. */
  readonly left: readonly Candidate[];
  /** Number of failing tests that the candidates were tried on. */
  readonly failing: number;
  /** Number of test processes started. */
  readonly processes: number;
  /** True if the test file does not even load with the trial runtime and no candidate: no shared process can judge any. */
  readonly isUnusable?: boolean;
}

export interface FastOptions {
  /** Try the candidates on failing tests only, or on all tests. */
  readonly mode: 'failing' | 'all';
  /** `performance.now()` at which no further process starts. */
  readonly deadline: number;
}

const MAX_PROCESSES = 24;
const MIN_CANDIDATE_MS = 150;
const TEST_BUDGET_MS = 15_000;
const PROCESS_BUDGET_MS = 25_000;
const LEAST_BISECTED = 20;
/** Bisections in search of a candidate that keeps the test file from loading; after these no candidate is to blame. */
const MAX_BISECTIONS = 12;
/** With fewer candidates a second process costs more than it saves. */
const LEAST_SHARED = 150;

/**
 * Tries many candidates in one run of the test file: all of them are embedded in the sources, and each test runs once
 * for each candidate. After a candidate that hangs or ends the process, a new process tries the rest. The tree is
 * unchanged when the promise settles. Never rejects because of the tested code.
 */
export async function tryFast(
  target: InstrumentedTarget,
  candidates: readonly Candidate[],
  options: FastOptions,
  bisections = { left: MAX_BISECTIONS },
): Promise<FastResult> {
  const sources = await embedAll(target.context.root, candidates);
  const ledger = new TrialLedger(sources.embedded, options.mode);
  const mostShards = await parallelProcesses(target);
  let processes = 0;
  while (processes < MAX_PROCESSES && mayContinue(target, options) && ledger.hasWork()) {
    const ids = ledger.ids();
    const shards = ids.length < LEAST_SHARED ? 1 : mostShards;
    processes += shards;
    const run = await runInstrumented(target, sources.texts, {
      mode: options.mode,
      ids,
      shards,
      pending: ledger.pending(),
      careful: ledger.careful(),
      minCandidateMs: MIN_CANDIDATE_MS,
      testBudgetMs: TEST_BUDGET_MS,
      processBudgetMs: Math.min(PROCESS_BUDGET_MS, Math.max(1000, options.deadline - performance.now())),
    });
    if (run === undefined) return { verdicts: [], left: candidates, failing: 0, processes };
    if (run.processes.flat().length === 0 && mayContinue(target, options)) {
      if (bisections.left === MAX_BISECTIONS && !(await loadsUnchanged(target))) {
        return { verdicts: [], left: candidates, failing: 0, processes: processes + 1, isUnusable: true };
      }
      return await bisect(target, candidates, options, bisections);
    }
    const isNew = run.processes.map((records) => ledger.addRecords(records));
    if (!isNew.includes(true)) break;
  }
  const { verdicts, left, failing } = ledger.result();
  return { verdicts, left: [...left, ...sources.left], failing, processes };
}

function mayContinue({ context }: InstrumentedTarget, { deadline }: FastOptions): boolean {
  return !context.signal.aborted && performance.now() < deadline;
}

/** Whether the test file reports anything from a run with the trial runtime and the unchanged sources. */
async function loadsUnchanged(target: InstrumentedTarget): Promise<boolean> {
  const run = await runInstrumented(target, new Map(), {
    mode: 'trace',
    ids: [],
    shards: 1,
    careful: [],
    minCandidateMs: 0,
    testBudgetMs: 0,
    processBudgetMs: PROCESS_BUDGET_MS,
  });
  return run !== undefined && run.processes.flat().length > 0;
}

/** Tries each half alone: the test file did not load, so one of the candidates may keep it from loading. */
async function bisect(
  target: InstrumentedTarget,
  candidates: readonly Candidate[],
  options: FastOptions,
  bisections: { left: number },
): Promise<FastResult> {
  if (candidates.length <= LEAST_BISECTED || bisections.left <= 0) {
    return { verdicts: [], left: candidates, failing: 0, processes: 1 };
  }
  bisections.left--;
  const middle = candidates.length >> 1;
  const first = await tryFast(target, candidates.slice(0, middle), options, bisections);
  const second = await tryFast(target, candidates.slice(middle), options, bisections);
  return {
    verdicts: [...first.verdicts, ...second.verdicts],
    left: [...first.left, ...second.left],
    failing: Math.max(first.failing, second.failing),
    processes: first.processes + second.processes + 1,
  };
}

interface EmbeddedSources {
  /** Instrumented texts by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly embedded: readonly NumberedCandidate[];
  readonly left: readonly Candidate[];
}

async function embedAll(root: string, candidates: readonly Candidate[]): Promise<EmbeddedSources> {
  const texts = new Map<string, string>();
  const ids = new Map<Candidate, number>();
  for (const [file, own] of Map.groupBy(candidates, ({ edits }) => edits[0]!.file)) {
    const parsed = parseSource(file, await readTreeText(join(root, file)));
    if ('problem' in parsed) continue;
    const source = embedCandidates(parsed, own, Math.max(0, ...ids.values()) + 1);
    if (source.embedded.length > 0) texts.set(file, source.text);
    for (const { id, candidate } of source.embedded) ids.set(candidate, id);
  }
  const embedded = candidates.flatMap((candidate) => {
    const id = ids.get(candidate);
    return id === undefined ? [] : [{ id, candidate }];
  });
  return { texts, embedded, left: candidates.filter((candidate) => !ids.has(candidate)) };
}
