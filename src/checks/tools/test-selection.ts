import type { CheckRequest } from '../../ports/evaluation.ts';
import type { TestCase } from '../../schema/generated.ts';
import type { ProblemResult, TestResults } from '../results/test-results.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** Longest name filter, in characters, that fits a command line. Where it is longer, only the files are selected. */
const MAX_PATTERN = 60_000;

/** Test files to run, relative to the root: the requested files, else those of the requested tests; undefined for all. */
export function selectedFiles({ files, only }: CheckRequest): readonly string[] | undefined {
  if (files !== undefined) return files;
  if (only === undefined || only.some((test) => test.file === undefined)) return undefined;
  return [...new Set(only.map((test) => test.file!))];
}

/** Whether the coverage is to be measured: a part of the tests cannot reach the limit. */
export function measuresCoverage({ coverage = false, files, only }: CheckRequest): boolean {
  return coverage && files === undefined && only === undefined;
}

/**
 * A regular expression that matches the full names of the requested tests, with suite names joined by one space as
 * runners match them; undefined where names cannot select.
 */
export function namePattern({ only }: CheckRequest): string | undefined {
  const names = requestedNames(only);
  if (names === undefined) return undefined;
  const pattern = `^\\s*(?:${names.map((name) => escapePattern(name.replaceAll(' > ', ' '))).join('|')})$`;
  return pattern.length > MAX_PATTERN ? undefined : pattern;
}

/** Titles of the requested tests as globs. `*` replaces the characters that a glob reads as syntax: `\` and a leading `!`. */
export function titleGlobs({ only }: CheckRequest): readonly string[] {
  const globs = (requestedNames(only) ?? []).map((name) => name.replace(/^!/, '*').replaceAll('\\', '*'));
  return globs.join(' ').length > MAX_PATTERN ? [] : globs;
}

/** Undefined where a file that could not be loaded is requested: it has to run as a whole. */
function requestedNames(only: readonly TestCase[] | undefined): string[] | undefined {
  if (only === undefined || only.length === 0 || only.some((test) => test.name === FILE_CASE))
    return undefined;
  return [...new Set(only.map((test) => test.name))];
}

/** Any white space matches any other: runners normalise line breaks in names differently. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replace(/\s+/g, String.raw`\s+`);
}

/**
 * Drops the results that were not requested. Files that could not be loaded stay: the requested tests may be in
 * them.
 */
export function selectResults(results: TestResults, request: CheckRequest): TestResults {
  const files = selectedFiles(request);
  const ids = request.only === undefined ? undefined : new Set(request.only.map((test) => test.id));
  if (files === undefined && ids === undefined) return results;
  return {
    problems: results.problems.filter((problem) => concernsRequest(problem, request, files)),
    results: results.results.filter(({ test }) => {
      if (ids !== undefined && !ids.has(test.id)) return test.name === FILE_CASE && test.status === 'failed';
      return files === undefined || test.file === undefined || files.includes(test.file);
    }),
  };
}

/** A failed hook concerns the tests of its suite; an unhandled error, with an empty scope, concerns every test. */
function concernsRequest(
  { file, scope }: ProblemResult,
  { only }: CheckRequest,
  files: readonly string[] | undefined,
): boolean {
  if (file !== undefined && files !== undefined && !files.includes(file)) return false;
  return only === undefined || only.some((test) => test.name.startsWith(scope));
}

/** The requested tests that gave no result. */
export function missingTests(tests: readonly TestCase[], { only = [] }: CheckRequest): readonly TestCase[] {
  const ids = new Set(tests.map((test) => test.id));
  return only.filter((test) => !ids.has(test.id) && test.name !== FILE_CASE);
}
