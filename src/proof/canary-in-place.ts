import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import { FILE_CASE } from '../checks/results/test-results.ts';
import type { Check, CheckReport, CheckRequest } from '../ports.ts';
import type { Tampering, TestCase } from '../schema/generated.ts';
import {
  nestedExpectations,
  withWrong,
  wrongExpectations,
  type WrongExpectation,
} from './wrong-expectations.ts';
import { isTypeTest } from './type-tests.ts';

/** Most runs with wrong expectations; each changes at most one expectation of a test. */
const MAX_ROUNDS = 3;
const MAX_FILES = 20;

export interface CanaryInPlaceRequest {
  /** For the tree, or a copy of it, in which the files are changed for a moment. */
  readonly request: CheckRequest;
  /** Tests of the baseline, with the ids of the check's own reports. */
  readonly before: readonly TestCase[];
  /** Tests of the tree, with the ids of the check's own reports. */
  readonly now: readonly TestCase[];
}

/** Something about a test: its name, and whether it is a table. */
type OfTest = Pick<WrongExpectation, 'test' | 'isTable'>;

/** A test file with tests that failed before and pass now. */
export interface FlippedFile<Found extends OfTest = WrongExpectation> {
  /** Relative to the root. */
  readonly file: string;
  readonly source: string;
  /** What was found, by test, in the order of the file. */
  readonly changes: readonly (readonly Found[])[];
}

/**
 * Runs the tests that failed before and pass now again, under their own names and paths, with wrong expected values. Each
 * must fail; tampering for one that passes. A test without an expectation that can be changed, and a file that does not
 * run, prove nothing. The files are put back. Never rejects for what the tests do.
 */
export async function findToothlessTests(check: Check, asked: CanaryInPlaceRequest): Promise<Tampering[]> {
  const { root, signal } = asked.request;
  const files = flippedFiles(asked, wrongExpectations);
  const rounds = Math.min(
    MAX_ROUNDS,
    Math.max(0, ...files.flatMap(({ changes }) => changes.map((it) => it.length))),
  );
  const run = async (at: number): Promise<Tampering[]> => {
    const changed = files.map((it) => ({ ...it, made: it.changes.flatMap((of) => of.slice(at, at + 1)) }));
    const running = changed.filter(({ made }) => made.length > 0);
    for (const { file, source, made } of running) {
      writeFileSync(join(root, file), untyped(file, withWrong(source, made)));
    }
    const paths = running.map(({ file }) => file);
    const report = await check.run({ ...asked.request, fresh: true, files: paths });
    for (const { file, source } of running) writeFileSync(join(root, file), source);
    return running.flatMap(({ file, made }) => made.flatMap((change) => toothless(file, change, report)));
  };
  try {
    for (let at = 0; at < rounds && !signal.aborted; at++) {
      const found = await run(at);
      if (found.length > 0) return found;
    }
    return [];
  } finally {
    for (const { file, source } of files) writeFileSync(join(root, file), source);
  }
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
      writeFileSync(join(root, file), untyped(file, withWrong(source, made)));
      const report = await check.run({ ...asked.request, fresh: true, files: [file] });
      if (report.status !== 'pass') continue;
      const silent = made.find((change) => passes(file, change, report));
      if (silent !== undefined)
        return `"${silent.test}" of ${file} passes although every value that it compares was made wrong: none of its comparisons runs, so it proves nothing.`;
    } finally {
      writeFileSync(join(root, file), source);
    }
  }
  return undefined;
}

/** Test files with tests that failed before and pass now, and what `foundIn` finds in them. */
export function flippedFiles<Found extends OfTest>(
  { request, before, now }: CanaryInPlaceRequest,
  foundIn: (source: string, file: string) => Found[],
): FlippedFile<Found>[] {
  const flipped = flippedTests(before, now).filter(({ file }) => !isTypeTest(file!));
  return [...Map.groupBy(flipped, ({ file }) => file!)].slice(0, MAX_FILES).flatMap(([file, tests]) => {
    const source = readIfThere(join(request.root, file));
    if (source === undefined) return [];
    const found = foundIn(source, file);
    const byTest = Map.groupBy(found, ({ test }) => test);
    const isWanted = ([name, [first]]: [string, Found[]]): boolean =>
      first !== undefined && tests.some((test) => isCaseOf(test.name, name, first.isTable));
    const changes = [...byTest].filter(isWanted).map(([, all]) => all);
    return changes.length === 0 ? [] : [{ file, source, changes }];
  });
}

/**
 * Tests that pass now and failed, were skipped or did not load in the baseline. In files that the baseline does not have
 * all tests are new; without any test in the baseline, every test counts.
 */
export function flippedTests(before: readonly TestCase[], now: readonly TestCase[]): TestCase[] {
  const passedBefore = new Set(before.filter(({ status }) => status === 'passed').map(({ id }) => id));
  const known = new Set(before.map(({ file }) => file));
  return now.filter(
    ({ id, name, status, file }) =>
      status === 'passed' &&
      name !== FILE_CASE &&
      file !== undefined &&
      !passedBefore.has(id) &&
      (known.size === 0 || known.has(file)),
  );
}

/** Tampering if the changed test passed. A name that several tests have must have passed in all of them. */
function toothless(file: string, change: WrongExpectation, report: CheckReport): Tampering[] {
  if (!passes(file, change, report)) return [];
  const detail = `"${change.test}" of ${file} passes with a wrong expected value, so it cannot fail with this change. The code must not change how it is tested.`;
  return [{ kind: 'canary_passed', file, detail: detail.slice(0, 2_000) }];
}

/** True if the tests that a change is about pass in a report. */
export function passes(file: string, change: OfTest, { tests }: CheckReport): boolean {
  const own = tests.filter((test) => test.file === file && isCaseOf(test.name, change.test, change.isTable));
  return own.length > 0 && own.every(({ status }) => status === 'passed');
}

/** True if a reported name is that of the test, or of a row of the table with this title. */
function isCaseOf(name: string, title: string, isTable: boolean): boolean {
  if (!isTable) return name === title;
  const parts = title.split(/%%|%[a-z#$]|\$\{?[\w.#]+\}?/i).map(escapeRegExp);
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}

/** A type checker must not reject the wrong values. Jest reads a comment only at the very beginning, so it stays there. */
export function untyped(file: string, text: string): string {
  const isTyped = /\.[cm]?tsx?$/.test(file) && !/^\s*\/\*\*/.test(text);
  return isTyped ? `// @ts-nocheck\n${text}` : text;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
