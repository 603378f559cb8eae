import { join } from 'node:path';
import { readTreeTextSync } from '../platform/files/read-bounded.ts';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import type { CheckReport, CheckRequest } from '../ports/evaluation.ts';
import type { TestCase } from '../schema/generated.ts';
import { isTypeTest } from './canaries/type-tests.ts';
import type { WrongExpectation } from './canaries/wrong-expectations.ts';
import { FILE_CASE } from '../schema/file-case.ts';

/** Most test files that are looked at. */
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
export type OfTest = Pick<WrongExpectation, 'test' | 'isTable'>;

/** A test file with tests that failed before and pass now. */
export interface FlippedFile<Found extends OfTest = WrongExpectation> {
  /** Relative to the root. */
  readonly file: string;
  readonly source: string;
  /** The findings, by test, in the order of the file. */
  readonly changes: readonly (readonly Found[])[];
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
    return readTreeTextSync(path);
  } catch {
    return undefined;
  }
}
