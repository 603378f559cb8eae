import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Candidate } from '../syntax/edit.ts';
import { parseSource } from '../syntax/parse.ts';
import { embedCandidates, type NumberedCandidate } from './switch.ts';
import type { TrialRecord } from './protocol.ts';
import { processesFor } from './processes.ts';
import { runInstrumented, type TrialGround } from './session.ts';

/** What a candidate did to the tests of the file. */
export interface FastVerdict {
  readonly candidate: Candidate;
  /** Keys of failing tests that pass with it. */
  readonly fixed: readonly string[];
  /** Keys of passing tests that fail with it; only in `all` mode. */
  readonly broken: readonly string[];
  /** A failing test failed in another way. */
  readonly moved: boolean;
  /** Took the process down, or ran out of time without an end. */
  readonly crashed: boolean;
}

export interface FastResult {
  readonly verdicts: readonly FastVerdict[];
  /** Candidates that say nothing in a shared process: to be tried alone, if at all. */
  readonly left: readonly Candidate[];
  /** Failing tests that the candidates were tried on. */
  readonly failing: number;
  readonly processes: number;
}

export interface FastOptions {
  readonly mode: 'failing' | 'all';
  /** `performance.now()` at which no further process starts. */
  readonly deadline: number;
}

const MAX_PROCESSES = 24;
const MIN_CANDIDATE_MS = 150;
const TEST_BUDGET_MS = 15_000;
const PROCESS_BUDGET_MS = 25_000;
const LEAST_SPLIT = 20;
/** Halvings in search of a candidate that spoils the file: after so many it is not a candidate. */
const MAX_SPLITS = 12;
/** Fewer candidates are not worth a second process. */
const LEAST_SHARED = 150;

/**
 * Tries many candidates in one run of the test file: all of them are written into the sources, and each test
 * runs once for each. A candidate that hangs or kills the process costs the rest a new process. The tree is as
 * before when the promise settles. Never rejects for what the tested code does.
 */
export async function tryFast(
  ground: TrialGround,
  candidates: readonly Candidate[],
  options: FastOptions,
  splits = { left: MAX_SPLITS },
): Promise<FastResult> {
  const sources = await embedAll(ground.context.root, candidates);
  const ledger = new Ledger(sources.embedded, options.mode);
  const sideBySide = await processesFor(ground);
  let processes = 0;
  while (processes < MAX_PROCESSES && mayGoOn(ground, options) && ledger.hasWork()) {
    const ids = ledger.ids();
    const shards = ids.length < LEAST_SHARED ? 1 : sideBySide;
    processes += shards;
    const run = await runInstrumented(ground, sources.texts, {
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
    if (run.processes.flat().length === 0 && mayGoOn(ground, options)) {
      return await splitAndTry(ground, candidates, options, splits);
    }
    if (!run.processes.map((records) => ledger.enter(records)).includes(true)) break;
  }
  const { verdicts, left, failing } = ledger.close();
  return { verdicts, left: [...left, ...sources.left], failing, processes };
}

function mayGoOn({ context }: TrialGround, { deadline }: FastOptions): boolean {
  return !context.signal.aborted && performance.now() < deadline;
}

/** The test file did not even load: one of the candidates spoils it for all. */
async function splitAndTry(
  ground: TrialGround,
  candidates: readonly Candidate[],
  options: FastOptions,
  splits: { left: number },
): Promise<FastResult> {
  if (candidates.length <= LEAST_SPLIT || splits.left <= 0) {
    return { verdicts: [], left: candidates, failing: 0, processes: 1 };
  }
  splits.left--;
  const middle = candidates.length >> 1;
  const first = await tryFast(ground, candidates.slice(0, middle), options, splits);
  const second = await tryFast(ground, candidates.slice(middle), options, splits);
  return {
    verdicts: [...first.verdicts, ...second.verdicts],
    left: [...first.left, ...second.left],
    failing: Math.max(first.failing, second.failing),
    processes: first.processes + second.processes + 1,
  };
}

interface EmbeddedSources {
  readonly texts: ReadonlyMap<string, string>;
  readonly embedded: readonly NumberedCandidate[];
  readonly left: readonly Candidate[];
}

async function embedAll(root: string, candidates: readonly Candidate[]): Promise<EmbeddedSources> {
  const texts = new Map<string, string>();
  const ids = new Map<Candidate, number>();
  for (const [file, own] of Map.groupBy(candidates, ({ edits }) => edits[0]!.file)) {
    const parsed = parseSource(file, await readFile(join(root, file), 'utf8'));
    if ('problem' in parsed) continue;
    const switched = embedCandidates(parsed, own, Math.max(0, ...ids.values()) + 1);
    if (switched.embedded.length > 0) texts.set(file, switched.text);
    for (const { id, candidate } of switched.embedded) ids.set(candidate, id);
  }
  const [embedded, left] = [candidates.filter((c) => ids.has(c)), candidates.filter((c) => !ids.has(c))];
  return { texts, embedded: embedded.map((candidate) => ({ id: ids.get(candidate)!, candidate })), left };
}

interface Entry {
  readonly fixed: Set<string>;
  readonly broken: Set<string>;
  /** Tests that it ran on. */
  readonly done: Set<string>;
  moved: boolean;
  reached: boolean;
  crashed: boolean;
  spoiled: boolean;
}

/** What is known of each candidate after each process, and what is still to be done. */
class Ledger {
  readonly #candidates: readonly NumberedCandidate[];
  readonly #entries: ReadonlyMap<number, Entry>;
  readonly #tests = new Map<string, { passed: boolean; steady: boolean }>();
  readonly #mode: FastOptions['mode'];
  readonly #careful = new Set<number>();
  #begun = false;

  constructor(candidates: readonly NumberedCandidate[], mode: FastOptions['mode']) {
    this.#mode = mode;
    this.#candidates = candidates;
    this.#entries = new Map(candidates.map(({ id }) => [id, newEntry()]));
  }

  hasWork(): boolean {
    if (!this.#begun) return this.#candidates.length > 0;
    return Object.values(this.pending() ?? {}).some((ids) => ids.length > 0);
  }

  /** Those that are still worth a run; the careful ones last. */
  ids(): number[] {
    const ids = [...this.#entries]
      .filter(([, { crashed, spoiled }]) => !crashed && !spoiled)
      .map(([id]) => id);
    const isCareful = (id: number): number => Number(this.#careful.has(id));
    return ids.sort((a, b) => isCareful(a) - isCareful(b));
  }

  /** Candidates among which is one that spoils the process for the others. */
  careful(): number[] {
    return [...this.#careful];
  }

  /** Candidates that are left for each test that was seen. */
  pending(): Record<string, number[]> | undefined {
    if (!this.#begun) return undefined;
    const ids = this.ids();
    return Object.fromEntries(
      this.#usable().map((key) => [key, ids.filter((id) => !this.#entries.get(id)!.done.has(key))]),
    );
  }

  /** Returns whether anything new was learned. */
  enter(records: readonly TrialRecord[]): boolean {
    const running = new Map<string, number>();
    let ended = 0;
    for (const record of records) {
      if (record.type === 'test') this.#enterTest(record);
      if (record.type === 'start') running.set(record.key, record.id);
      if (record.type === 'end') {
        running.delete(record.key);
        this.#end(record);
        ended++;
      }
      if (record.type === 'polluted') this.#distrust(record);
    }
    for (const id of running.values()) this.#entries.get(id)!.crashed = true;
    this.#begun = true;
    return ended > 0 || running.size > 0;
  }

  close(): Pick<FastResult, 'verdicts' | 'left' | 'failing'> {
    const verdicts: FastVerdict[] = [];
    const left: Candidate[] = [];
    for (const { id, candidate } of this.#candidates) {
      const { fixed, broken, moved, reached, crashed, spoiled, done } = this.#entries.get(id)!;
      if (!crashed && (spoiled || !reached || done.size === 0)) left.push(candidate);
      else verdicts.push({ candidate, fixed: [...fixed], broken: [...broken], moved, crashed });
    }
    const failing = [...this.#tests.values()].filter(({ passed, steady }) => !passed && steady).length;
    return { verdicts, left, failing };
  }

  #usable(): string[] {
    const isAsked = (test: { passed: boolean; steady: boolean }): boolean =>
      test.steady && (this.#mode === 'all' || !test.passed);
    return [...this.#tests].filter(([, test]) => isAsked(test)).map(([key]) => key);
  }

  /** Processes side by side must agree on a test: otherwise they disturb each other, or it is flaky. */
  #enterTest({ key, passed, steady }: Extract<TrialRecord, { type: 'test' }>): void {
    const known = this.#tests.get(key);
    const agree = known === undefined || (known.steady && known.passed === passed);
    this.#tests.set(key, { passed, steady: steady && agree });
  }

  #end({ id, key, passed, reached, moved }: Extract<TrialRecord, { type: 'end' }>): void {
    const entry = this.#entries.get(id)!;
    const before = this.#tests.get(key)?.passed ?? false;
    entry.done.add(key);
    entry.reached ||= reached;
    entry.moved ||= moved;
    if (passed && !before && reached) entry.fixed.add(key);
    if (!passed && before) entry.broken.add(key);
  }

  /** What was seen since the last check is void; a single candidate is the one that did it. */
  #distrust({ key, ids }: Extract<TrialRecord, { type: 'polluted' }>): void {
    for (const id of ids) {
      const entry = this.#entries.get(id)!;
      entry.fixed.delete(key);
      entry.broken.delete(key);
      entry.done.delete(key);
      entry.spoiled = ids.length === 1;
      this.#careful.add(id);
    }
  }
}

function newEntry(): Entry {
  return {
    fixed: new Set(),
    broken: new Set(),
    done: new Set(),
    moved: false,
    reached: false,
    crashed: false,
    spoiled: false,
  };
}
