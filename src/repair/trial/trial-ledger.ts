import type { Candidate } from '../syntax/edit.ts';
import type { NumberedCandidate } from './instrument/embed-candidates.ts';
import type { TrialRecord } from './protocol.ts';

/** The effect of one candidate on the tests of a file. */
export interface FastVerdict {
  readonly candidate: Candidate;
  /** Keys of failing tests that pass with the candidate. */
  readonly fixed: readonly string[];
  /** Keys of passing tests that fail with the candidate; only in mode `all`. */
  readonly broken: readonly string[];
  /** The keys in `broken` of tests that were stopped because they did not end in time. */
  readonly stopped: readonly string[];
  /** A failing test failed in another way. */
  readonly moved: boolean;
  /** The candidate ended the process, or was stopped because it did not end. */
  readonly crashed: boolean;
}

interface Entry {
  readonly fixed: Set<string>;
  readonly broken: Set<string>;
  readonly stopped: Set<string>;
  /** Tests that the candidate ran on. */
  readonly done: Set<string>;
  moved: boolean;
  reached: boolean;
  crashed: boolean;
  /** The candidate leaves state behind that changes later runs. */
  polluting: boolean;
}

/** Collects the records of all processes of a fast trial: the results so far and the work that is left. */
export class TrialLedger {
  readonly #candidates: readonly NumberedCandidate[];
  readonly #entries: ReadonlyMap<number, Entry>;
  readonly #tests = new Map<string, { passed: boolean; steady: boolean }>();
  readonly #mode: 'failing' | 'all';
  readonly #careful = new Set<number>();
  #hasRun = false;

  constructor(candidates: readonly NumberedCandidate[], mode: 'failing' | 'all') {
    this.#mode = mode;
    this.#candidates = candidates;
    this.#entries = new Map(candidates.map(({ id }) => [id, newEntry()]));
  }

  /** Whether some candidate is not yet tried on some test. */
  hasWork(): boolean {
    if (!this.#hasRun) return this.#candidates.length > 0;
    return Object.values(this.pending() ?? {}).some((ids) => ids.length > 0);
  }

  /** Candidates that neither crashed nor pollute the process; the careful ones last. */
  ids(): number[] {
    const ids = [...this.#entries]
      .filter(([, { crashed, polluting }]) => !crashed && !polluting)
      .map(([id]) => id);
    const isCareful = (id: number): number => Number(this.#careful.has(id));
    return ids.sort((a, b) => isCareful(a) - isCareful(b));
  }

  /** Candidates of which at least one pollutes the process. */
  careful(): number[] {
    return [...this.#careful];
  }

  /** Candidates that are left for each test; undefined before the first run, when no test is known. */
  pending(): Record<string, number[]> | undefined {
    if (!this.#hasRun) return undefined;
    const ids = this.ids();
    return Object.fromEntries(
      this.#usableTests().map((key) => [key, ids.filter((id) => !this.#entries.get(id)!.done.has(key))]),
    );
  }

  /** Adds the records of one process. Returns false if they hold no result. */
  addRecords(records: readonly TrialRecord[]): boolean {
    const running = new Map<string, number>();
    let ended = 0;
    for (const record of records) {
      if (record.type === 'test') this.#addTest(record);
      if (record.type === 'start') running.set(record.key, record.id);
      if (record.type === 'end') {
        running.delete(record.key);
        this.#addEnd(record);
        ended++;
      }
      if (record.type === 'polluted') this.#discardPolluted(record);
    }
    for (const id of running.values()) this.#entries.get(id)!.crashed = true;
    this.#hasRun = true;
    return ended > 0 || running.size > 0;
  }

  /** The verdicts, in the order of the candidates, and the candidates without one. */
  result(): { verdicts: FastVerdict[]; left: Candidate[]; failing: number } {
    const verdicts: FastVerdict[] = [];
    const left: Candidate[] = [];
    for (const { id, candidate } of this.#candidates) {
      const { fixed, broken, stopped, moved, reached, crashed, polluting, done } = this.#entries.get(id)!;
      if (!crashed && (polluting || !reached || done.size === 0)) left.push(candidate);
      else {
        const tests = { fixed: [...fixed], broken: [...broken], stopped: [...stopped] };
        verdicts.push({ candidate, ...tests, moved, crashed });
      }
    }
    const failing = [...this.#tests.values()].filter(({ passed, steady }) => !passed && steady).length;
    return { verdicts, left, failing };
  }

  #usableTests(): string[] {
    const isUsable = (test: { passed: boolean; steady: boolean }): boolean =>
      test.steady && (this.#mode === 'all' || !test.passed);
    return [...this.#tests].filter(([, test]) => isUsable(test)).map(([key]) => key);
  }

  /** A test on which parallel processes disagree is not steady: it is flaky, or the processes interfere. */
  #addTest({ key, passed, steady }: Extract<TrialRecord, { type: 'test' }>): void {
    const known = this.#tests.get(key);
    const agree = known === undefined || (known.steady && known.passed === passed);
    this.#tests.set(key, { passed, steady: steady && agree });
  }

  #addEnd({ id, key, passed, reached, moved, timedOut }: Extract<TrialRecord, { type: 'end' }>): void {
    const entry = this.#entries.get(id)!;
    const before = this.#tests.get(key)?.passed ?? false;
    entry.done.add(key);
    entry.reached ||= reached;
    entry.moved ||= moved;
    if (passed && !before && reached) entry.fixed.add(key);
    if (!passed && before) entry.broken.add(key);
    if (!passed && before && timedOut) entry.stopped.add(key);
  }

  /** Voids the results since the last check. If only one candidate ran since then, it pollutes the process. */
  #discardPolluted({ key, ids }: Extract<TrialRecord, { type: 'polluted' }>): void {
    for (const id of ids) {
      const entry = this.#entries.get(id)!;
      entry.fixed.delete(key);
      entry.broken.delete(key);
      entry.stopped.delete(key);
      entry.done.delete(key);
      entry.polluting = ids.length === 1;
      this.#careful.add(id);
    }
  }
}

function newEntry(): Entry {
  return {
    fixed: new Set(),
    broken: new Set(),
    stopped: new Set(),
    done: new Set(),
    moved: false,
    reached: false,
    crashed: false,
    polluting: false,
  };
}
