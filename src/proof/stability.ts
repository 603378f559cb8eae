import { runCopied } from '../checks/narrow/copied-files.ts';
import type { Check } from '../ports.ts';
import type { CheckRequest } from '../ports/evaluation.ts';
import type { TestCase } from '../schema/generated.ts';

/** Runs of the changed tests after the first. A source that is right half of the time passes them all in 3 of 100 cases. */
const FURTHER_RUNS = 5;

/**
 * Copies of each file that a run for another proof makes, if it notes their rounds. Where the runner takes copies, one start
 * more shows both the acts of the sources and their calls.
 */
export const NOTED_COPIES = 4;
/** Further starts where it takes none: the acts and the calls are then seen in two. */
const NOTED_STARTS = 3;

/** A check that notes its reports: a run that serves another proof shows as well that the tests pass again. */
export interface NotedCheck {
  readonly check: Check;
  /** Notes what copies of test files, or a run in the reverse order, showed under the names of the files. */
  noteRound(tests: readonly TestCase[]): void;
  /** Noted runs in which all of these tests passed; none if a copy did not pass, for its name or by chance. */
  passesOf(tests: readonly TestCase[]): PassedRuns;
}

/** Runs in which tests passed. */
export interface PassedRuns {
  /** All of them, rounds of copies among them. */
  readonly runs: number;
  /** Rounds of copies, which run beside other files in another order, and runs with the files in the reverse order. */
  readonly rounds: number;
}

const NO_RUNS: PassedRuns = { runs: 0, rounds: 0 };

/** Notes the runs of a check. Only runs of the same tests with the same sources may be made by it. */
export function noteRuns(check: Check): NotedCheck {
  const passed: ReadonlySet<string>[] = [];
  const rounds: (readonly TestCase[])[] = [];
  const run: Check['run'] = async (request) => {
    const report = await check.run(request);
    passed.push(new Set(report.tests.filter(({ status }) => status === 'passed').map(({ id }) => id)));
    return report;
  };
  return {
    check: { plan: check.plan, run },
    noteRound: (tests) => void rounds.push(tests),
    passesOf: (tests) => {
      const isWhole = rounds.every((round) => tests.every((test) => passesIn(round, test)));
      const runs = passed.filter((ids) => tests.every(({ id }) => ids.has(id))).length;
      return isWhole ? { runs: runs + rounds.length, rounds: rounds.length } : NO_RUNS;
    },
  };
}

/** The tests of further runs of these tests' files, in the reverse order; the last one is the first that does not pass. */
export async function runAgain(
  check: Check,
  request: CheckRequest,
  tests: readonly TestCase[],
): Promise<readonly (readonly TestCase[])[]> {
  const files = filesOf(tests);
  const rounds: (readonly TestCase[])[] = [];
  while (rounds.length < NOTED_STARTS && !request.signal.aborted) {
    const report = await check.run({ ...request, fresh: true, files });
    rounds.push(report.tests);
    if (!tests.every((test) => passesIn(report.tests, test))) break;
  }
  return rounds;
}

/** The tests of these tests' files and of copies of them in one start; undefined if a copy does not pass, or says nothing. */
export async function runRounds(
  check: Check,
  request: CheckRequest,
  tests: readonly TestCase[],
  rounds = NOTED_COPIES,
): Promise<readonly (readonly TestCase[])[] | undefined> {
  const own = { ...request, fresh: true, files: filesOf(tests) };
  const copied = await runCopied(check, own, rounds - 1);
  const isPassed = copied?.rounds.every((round) => tests.every((test) => passesIn(round, test)));
  return isPassed === true ? copied!.rounds : undefined;
}

/** The files of tests in the reverse order. */
function filesOf(tests: readonly TestCase[]): string[] {
  return [...new Set(tests.map(({ file }) => file!))].toReversed();
}

/** A test that passed and did not pass again on the same tree. */
export interface UnstableTest {
  readonly id: string;
  /** Number of the further run in which it failed, 1-based. */
  readonly run: number;
}

/**
 * Runs tests again and returns those that fail in one of the runs, by the ids of the check's own reports. A run in which
 * a test does not appear says nothing about it. Stops after the first run with a failure. `passedBefore`: further runs in
 * which they passed already; without rounds of copies among them, two are made in any case, with the files in the reverse
 * order. Where the runner loads each file anew, copies of the files run beside them in one start.
 */
export async function findUnstableTests(
  check: Check,
  request: CheckRequest,
  tests: readonly TestCase[],
  passedBefore = NO_RUNS,
): Promise<UnstableTest[]> {
  const isShown = passedBefore.runs >= FURTHER_RUNS && passedBefore.rounds > 1;
  if (tests.length === 0 || isShown) return [];
  const runs = Math.max(passedBefore.rounds > 1 ? 1 : 2, FURTHER_RUNS - passedBefore.runs);
  // A copy may fail for its name alone, or for the tests beside it.
  if ((await runRounds(check, request, tests, runs)) !== undefined) return [];
  const own = { ...request, fresh: true, files: filesOf(tests) };
  const ids = new Set(tests.map(({ id }) => id));
  for (let run = 1; run <= runs && !request.signal.aborted; run++) {
    const report = await check.run(own);
    const failed = report.tests.filter(({ id, status }) => ids.has(id) && status === 'failed');
    if (failed.length > 0) return failed.map(({ id }) => ({ id, run }));
  }
  return [];
}

/** True if a test, and all of its rows, pass in a round of copies. */
export function passesIn(round: readonly TestCase[], { file, name }: TestCase): boolean {
  const own = round.filter((test) => test.file === file && test.name === name);
  return own.length > 0 && own.every(({ status }) => status === 'passed');
}

/** Time for the further runs of a command: the first is made in any case. */
const COMMAND_MS = 6_000;

/** The number of the further run in which a command that passed does not pass, 1-based; undefined if it passes in all. */
export async function findUnstableCommand(check: Check, request: CheckRequest): Promise<number | undefined> {
  const start = performance.now();
  for (let run = 1; run <= FURTHER_RUNS && !request.signal.aborted; run++) {
    if (run > 1 && performance.now() - start > COMMAND_MS) return undefined;
    const { status } = await check.run({ ...request, fresh: true });
    if (status === 'fail') return run;
  }
  return undefined;
}

/** One sentence on tests that are not stable; the list is not empty. */
export function describeUnstable(unstable: readonly UnstableTest[]): string {
  const [first] = unstable;
  const more = unstable.length > 1 ? `, and ${unstable.length - 1} more` : '';
  return `The result is not stable: ${first!.id} passed, and failed in ${nth(first!.run)} of the same tree${more}.`;
}

/** One sentence on a command that is not stable. */
export function describeUnstableCommand(command: string, run: number): string {
  return `The result is not stable: \`${command}\` passed, and failed in ${nth(run)} of the same tree.`;
}

function nth(run: number): string {
  return run === 1 ? 'the next run' : `further run ${run}`;
}
