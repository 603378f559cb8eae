import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DocExample } from '../syntax/doc-examples.ts';

/** Instructions for the processes that run the instrumented test file, written as JSON into the scratch folder. */
export interface TrialPlan {
  /**
   * `trace`: run every test once and record the statements that it reaches. `failing`: try the candidates on failing
   * tests. `all`: try them on every test. `compare`: run every test once, then call the suspected functions with the
   * captured and similar arguments under every candidate.
   */
  readonly mode: 'trace' | 'failing' | 'all' | 'compare';
  /** Whether the runner waits for a callback if a test function has more parameters than it passes arguments. */
  readonly callbacks: boolean;
  /** Whether the runner may start a test before an earlier one has ended. */
  readonly startsTogether: boolean;
  /** Examples in comments, checked in `compare` mode. */
  readonly examples?: readonly DocExample[];
  /** Absolute path of a folder; each process writes its records to a file of its own in it. */
  readonly records: string;
  /** Number of parallel processes that share the candidates. */
  readonly shards: number;
  /** Candidates by number, 1-based. */
  readonly ids: readonly number[];
  /** Candidates not yet tried on a test, by the test's key; all `ids` for tests that are not listed. */
  readonly pending?: Readonly<Record<string, readonly number[]>>;
  /** Candidates after each of which the unchanged code runs again, because one of them left state behind. */
  readonly careful: readonly number[];
  /** Minimum time limit of one candidate on one test. */
  readonly minCandidateMs: number;
  /** Time limit of the unchanged test. */
  readonly originalMs: number;
  /** Time for candidates on one test; the next process tries the rest. */
  readonly testBudgetMs: number;
  /** Time for candidates on all tests of one process. */
  readonly processBudgetMs: number;
}

/** The values of a watched expression in one run of a test. */
export interface ObservedValues {
  /** Number of the expression. */
  readonly id: number;
  /** How often it was evaluated. */
  readonly count: number;
  /** How many expressions had been evaluated when this one was evaluated last. */
  readonly order: number;
  readonly first: string;
  /** Absent if the limit of recorded values was reached before. */
  readonly last?: string;
  /** All values had the same text. */
  readonly isConstant: boolean;
}

/** One line of the records. A test's `key` is `site#ordinal`: the number of the call in the test file, and of its run, 1-based. */
export type TrialRecord =
  /** First record of a process: the instrumented test file parses and has loaded the runtime. */
  | { readonly type: 'loaded'; readonly pid: number; readonly space: string }
  /** Ids of the statements reached before the first hook or test, in `trace` mode. */
  | { readonly type: 'loading'; readonly hits: readonly number[] }
  /** Result of the unchanged test; `steady`: a second run had the same result. */
  | {
      readonly type: 'test';
      readonly key: string;
      readonly passed: boolean;
      readonly steady: boolean;
      readonly durationMs: number;
      /** Ids of the statements reached, in `trace` mode. */
      readonly hits?: readonly number[];
      /** Values of the watched expressions that were evaluated, in `trace` mode. */
      readonly values?: readonly ObservedValues[];
    }
  /** Written before a candidate runs, so that one that ends the process is known. */
  | { readonly type: 'start'; readonly key: string; readonly id: number; readonly limitMs: number }
  /** `reached`: the edited code ran; `moved`: the test ended in another way than with the unchanged code; `timedOut`: it was stopped. */
  | {
      readonly type: 'end';
      readonly key: string;
      readonly id: number;
      readonly passed: boolean;
      readonly reached: boolean;
      readonly moved: boolean;
      readonly timedOut: boolean;
    }
  /** Results of a candidate, or of the unchanged code (id 0), on the inputs derived from one test, in order. */
  | {
      readonly type: 'behaviour';
      readonly key: string;
      readonly id: number;
      readonly outputs: readonly string[];
    }
  /** The inputs derived from one test, in the order of the results: each a list of arguments as text. */
  | { readonly type: 'inputs'; readonly key: string; readonly inputs: readonly string[] }
  /** Number of examples in comments that hold for a candidate, or for the unchanged code (id 0). */
  | { readonly type: 'examples'; readonly id: number; readonly kept: number; readonly tried: number }
  /** The unchanged code ends in another way than before: results of `ids`, all since the last check, are void. */
  | { readonly type: 'polluted'; readonly key: string; readonly ids: readonly number[] };

/** The calling process's number among those of its plan, 0-based, in the order in which they start. */
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

/** Returns a function that appends records to a process's file; they survive a crash of the process. */
export function createRecorder(
  { records }: Pick<TrialPlan, 'records'>,
  number: number,
): (record: TrialRecord) => void {
  const handle = openSync(fileOf(records, number), 'a');
  return (record) => {
    writeSync(handle, `${JSON.stringify(record)}\n`);
  };
}

/** The records of each process, without an incomplete last line. */
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
