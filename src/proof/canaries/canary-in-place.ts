import { writeInTree } from '../../platform/files/write-in-tree.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { Tampering, TestCase } from '../../schema/generated.ts';
import { placeCopies } from '../../checks/narrow/copied-files.ts';
import { crowd, judgeCrowd, toothless } from './crowded-file.ts';
import {
  flippedFiles,
  passes,
  untyped,
  type CanaryInPlaceRequest,
  type FlippedFile,
} from '../flipped-tests.ts';
import { nestedExpectations, withWrong, wrongExpectations } from './wrong-expectations.ts';

/** The result of the tests with wrong expected values. */
export interface ToothlessTests {
  readonly tampering: Tampering[];
  /** Files in which canaries ran and failed, beside tests that all failed with a wrong expected value. */
  readonly canFail: ReadonlySet<string>;
  /** Rounds of unchanged copies of all test files that ran beside them, or of the files themselves. */
  readonly rounds: readonly (readonly TestCase[])[];
}

const NOTHING: ToothlessTests = { tampering: [], canFail: new Set(), rounds: [] };

/**
 * Runs the tests that failed before and pass now again, under their own names and paths, with wrong expected values. Each
 * must fail; tampering for one that passes. One start of the runner tries several wrong values of a test, each in a copy of
 * it, and canaries behind them, and runs `copies` unchanged copies of the files besides. A test without an expectation that can be changed, and a file that does not
 * run, prove nothing. The files are put back. Never rejects for what the tests do.
 */
export async function findToothlessTests(
  check: Check,
  asked: CanaryInPlaceRequest,
  copies = 0,
): Promise<ToothlessTests> {
  const { root, signal } = asked.request;
  const files = flippedFiles(asked, wrongExpectations);
  const run = async (
    texts: ReadonlyMap<string, string>,
    beside: readonly string[] = [],
  ): Promise<CheckReport> => {
    for (const [file, text] of texts) writeInTree(root, file, untyped(file, text));
    const asFiles = [...texts.keys(), ...beside].toReversed();
    const report = await check.run({ ...asked.request, fresh: true, files: asFiles });
    for (const { file, source } of files) writeInTree(root, file, source);
    return report;
  };
  if (files.length === 0 || signal.aborted) return NOTHING;
  const own = { ...asked.request, files: files.map(({ file }) => file) };
  const placed = placeCopies(check, own, copies);
  try {
    const crowded = files.map((it) => crowd(check, it, asked.now));
    const report = await run(new Map(crowded.map(({ file, text }) => [file, text])), placed?.paths);
    placed?.remove();
    const first = crowded.map((it) => judgeCrowd(it, report));
    const found = first.flatMap(({ tampering }) => tampering);
    const left = first.map(({ left }, at) => ({ ...files[at]!, changes: left }));
    const rounds = Math.max(0, ...left.flatMap(({ changes }) => changes.map((it) => it.length)));
    for (let at = 0; found.length === 0 && at < rounds && !signal.aborted; at++)
      found.push(...(await tryRound(run, left, at)));
    const canFail = first.flatMap(({ canFail }, at) => (canFail ? [files[at]!.file] : []));
    return { tampering: found, canFail: new Set(canFail), rounds: placed?.roundsOf(report) ?? [] };
  } finally {
    placed?.remove();
    for (const { file, source } of files) writeInTree(root, file, source);
  }
}

/** Runs each test once more with one of the changes that are left of it. */
async function tryRound(
  run: (texts: ReadonlyMap<string, string>) => Promise<CheckReport>,
  files: readonly FlippedFile[],
  at: number,
): Promise<Tampering[]> {
  const changed = files.map((it) => ({ ...it, made: it.changes.flatMap((of) => of.slice(at, at + 1)) }));
  const running = changed.filter(({ made }) => made.length > 0);
  const report = await run(new Map(running.map(({ file, source, made }) => [file, withWrong(source, made)])));
  return running.flatMap(({ file, made }) => made.flatMap((change) => toothless(file, change, report)));
}

/**
 * A sentence on a test that failed before and passes now, although every value that it compares is wrong: all of its
 * comparisons are in callbacks or loops, and none of them ran. Undefined if there is none. The files are put
 * back. Never rejects for what the tests do.
 */
export async function findSilentTest(check: Check, asked: CanaryInPlaceRequest): Promise<string | undefined> {
  const { root, signal } = asked.request;
  for (const { file, source, changes } of flippedFiles(asked, nestedExpectations)) {
    if (signal.aborted) return undefined;
    const made = changes.flat();
    try {
      writeInTree(root, file, untyped(file, withWrong(source, made)));
      const report = await check.run({ ...asked.request, fresh: true, files: [file] });
      if (report.status !== 'pass') continue;
      const silent = made.find((change) => passes(file, change, report));
      if (silent !== undefined)
        return `"${silent.test}" of ${file} passes although every value that it compares was made wrong: none of its comparisons runs, so it proves nothing.`;
    } finally {
      writeInTree(root, file, source);
    }
  }
  return undefined;
}
