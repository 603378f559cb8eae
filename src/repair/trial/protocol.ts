import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DocExample } from '../syntax/doc-examples.ts';

/** What the process that runs the instrumented test file is asked to do; written as JSON into the scratch folder. */
export interface TrialPlan {
  /**
   * `trace`: run every test once and record which statements it reached. `failing`: try the candidates on tests
   * that fail. `all`: try them on every test. `compare`: run every test once, and the calls that it makes of
   * suspected functions, with inputs like theirs, under every candidate.
   */
  readonly mode: 'trace' | 'failing' | 'all' | 'compare';
  /** Whether a test function with more parameters than the runner gives arguments waits for a callback. */
  readonly callbacks: boolean;
  /** What comments say that calls give, in `compare` mode; texts of literals. */
  readonly examples?: readonly DocExample[];
  /** Absolute folder that each process adds its records to, in a file of its own. */
  readonly records: string;
  /** Processes that share the candidates, side by side. */
  readonly shards: number;
  /** Candidates by number, 1-based. */
  readonly ids: readonly number[];
  /** Candidates that are left for one test, by its key; tests that are not named get `ids`. */
  readonly pending?: Readonly<Record<string, readonly number[]>>;
  /** Candidates after each of which the unchanged code is tried again: one of them left something behind. */
  readonly careful: readonly number[];
  /** The least time that one candidate has for one test. */
  readonly minCandidateMs: number;
  /** How long the unchanged test may take. */
  readonly originalMs: number;
  /** How long one test goes on with candidates before the next process takes over. */
  readonly testBudgetMs: number;
  /** The same for all tests of the process together. */
  readonly processBudgetMs: number;
}

/** One line of the records. A test's `key` is `site#ordinal`: the call in the test file and its how-manieth run. */
export type TrialRecord =
  /** The first: the runtime was loaded, so the instrumented test file is sound. */
  | { readonly type: 'loaded'; readonly pid: number; readonly space: string }
  /** The unchanged test; `steady`: run again, it ended in the same way. */
  | {
      readonly type: 'test';
      readonly key: string;
      readonly passed: boolean;
      readonly steady: boolean;
      readonly durationMs: number;
      /** Numbers of the statements reached, in `trace` mode. */
      readonly hits?: readonly number[];
    }
  /** Written before a candidate runs, so that one that takes the process down is known. */
  | { readonly type: 'start'; readonly key: string; readonly id: number; readonly limitMs: number }
  /** `reached`: the changed code ran at all; `moved`: the test failed in another way than the unchanged code. */
  | {
      readonly type: 'end';
      readonly key: string;
      readonly id: number;
      readonly passed: boolean;
      readonly reached: boolean;
      readonly moved: boolean;
    }
  /** What a candidate, or under 0 the unchanged code, did on the inputs that one test led to, in their order. */
  | {
      readonly type: 'behaviour';
      readonly key: string;
      readonly id: number;
      readonly outputs: readonly string[];
    }
  /** How many of the examples in comments a candidate keeps to, or under 0 the unchanged code. */
  | { readonly type: 'examples'; readonly id: number; readonly kept: number; readonly tried: number }
  /** The unchanged code no longer ends as it did: what was seen since the last check is worth nothing. */
  | { readonly type: 'polluted'; readonly key: string; readonly ids: readonly number[] };

/** A process's number among those of its plan, 0-based, in the order in which they start. */
export function claimNumber({ records }: Pick<TrialPlan, 'records'>): number {
  for (let number = 0; ; number++) {
    try {
      closeSync(openSync(fileOf(records, number), 'wx'));
      return number;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Appends records to a process's file; they outlive a crash of the process. */
export function createRecorder(
  { records }: Pick<TrialPlan, 'records'>,
  number: number,
): (record: TrialRecord) => void {
  const handle = openSync(fileOf(records, number), 'a');
  return (record) => {
    writeSync(handle, `${JSON.stringify(record)}\n`);
  };
}

/** What each process recorded; a last line that was cut off is left out. */
export function readRecords(records: string): TrialRecord[][] {
  return readdirSync(records).map((file) => {
    const text = readFileSync(join(records, file), 'utf8');
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TrialRecord);
  });
}

function fileOf(records: string, number: number): string {
  return join(records, `${number}.jsonl`);
}
