import type { CheckRequest } from '../../ports.ts';
import type { TestCase } from '../../schema/generated.ts';
import { FILE_CASE, type ProblemResult, type TestResults } from '../results/test-results.ts';

/** Longest name filter that is put on a command line; with more, the files alone narrow. */
const MAX_PATTERN = 60_000;

/** Test files to run, relative to the root: those asked for, or those of the tests asked for. */
export function filesToRun({ files, only }: CheckRequest): readonly string[] | undefined {
  if (files !== undefined) return files;
  if (only === undefined || only.some((test) => test.file === undefined)) return undefined;
  return [...new Set(only.map((test) => test.file!))];
}

/**
 * A regular expression that matches the full names of the tests asked for, suite names joined by one space as
 * runners match them; undefined where the names are no filter.
 */
export function namePattern({ only }: CheckRequest): string | undefined {
  const names = namesOf(only);
  if (names === undefined) return undefined;
  const pattern = `^\\s*(?:${names.map((name) => escapePattern(name.replaceAll(' > ', ' '))).join('|')})$`;
  return pattern.length > MAX_PATTERN ? undefined : pattern;
}

/** Titles of the tests asked for, for runners that filter by glob; `*` also stands for what globs treat apart. */
export function titleGlobs({ only }: CheckRequest): readonly string[] {
  const globs = (namesOf(only) ?? []).map((name) => name.replace(/^!/, '*').replaceAll('\\', '*'));
  return globs.join(' ').length > MAX_PATTERN ? [] : globs;
}

/** A file that could not be loaded has to be run whole to be seen. */
function namesOf(only: readonly TestCase[] | undefined): string[] | undefined {
  if (only === undefined || only.length === 0 || only.some((test) => test.name === FILE_CASE))
    return undefined;
  return [...new Set(only.map((test) => test.name))];
}

/** Whitespace matches any whitespace: names with line breaks reach the runner in many forms. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replace(/\s+/g, String.raw`\s+`);
}

/**
 * Drops what a runner ran beside the tests that were asked for. Files that could not be loaded stay: the tests
 * asked for may be in them.
 */
export function narrowResults(results: TestResults, request: CheckRequest): TestResults {
  const files = filesToRun(request);
  const ids = request.only === undefined ? undefined : new Set(request.only.map((test) => test.id));
  if (files === undefined && ids === undefined) return results;
  return {
    problems: results.problems.filter((problem) => concerns(problem, request, files)),
    results: results.results.filter(({ test }) => {
      if (ids !== undefined && !ids.has(test.id)) return test.name === FILE_CASE && test.status === 'failed';
      return files === undefined || test.file === undefined || files.includes(test.file);
    }),
  };
}

/** A failed hook counts for the suites of the tests asked for; an unhandled error may be anyone's. */
function concerns(
  { file, scope }: ProblemResult,
  { only }: CheckRequest,
  files: readonly string[] | undefined,
): boolean {
  if (file !== undefined && files !== undefined && !files.includes(file)) return false;
  return only === undefined || only.some((test) => test.name.startsWith(scope));
}

/** Tests that were asked for and gave no result. */
export function missingTests(tests: readonly TestCase[], { only = [] }: CheckRequest): readonly TestCase[] {
  const ids = new Set(tests.map((test) => test.id));
  return only.filter((test) => !ids.has(test.id) && test.name !== FILE_CASE);
}
