import { describe, expect, it } from 'vitest';
import {
  selectedFiles,
  missingTests,
  namePattern,
  selectResults,
  titleGlobs,
} from '../../../src/checks/tools/test-selection.ts';
import { toTestResults } from '../../../src/checks/results/test-results.ts';
import type { ReportedTest } from '../../../src/checks/results/test-report.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';
import type { CheckRequest } from '../../../src/ports/evaluation.ts';
import type { TestCase } from '../../../src/schema/generated.ts';

function request(narrowing: Pick<CheckRequest, 'files' | 'only'>): CheckRequest {
  const signal = new AbortController().signal;
  return { root: '/repo', cacheDir: '/cache', fresh: false, timeoutMs: 1, signal, ...narrowing };
}

function testCase(name: string, file: string | undefined = 'a.js'): TestCase {
  return { id: `${file} > ${name}`, name, status: 'passed', file };
}

describe('namePattern', () => {
  it('matches full names joined by spaces, and no longer names', () => {
    const pattern = new RegExp(
      namePattern(request({ only: [testCase('outer > a (b) [c] $1.0'), testCase('x\ny')] }))!,
    );
    expect(pattern.test('outer a (b) [c] $1.0')).toBe(true);
    expect(pattern.test(' outer a (b) [c] $1.0')).toBe(true);
    expect(pattern.test('x y')).toBe(true);
    expect(pattern.test('outer a (b) [c] $1.0 and more')).toBe(false);
    expect(pattern.test('outer a (b) [c] $150')).toBe(false);
  });

  it('is undefined for whole files, and for more names than fit a command line', () => {
    expect(namePattern(request({}))).toBeUndefined();
    expect(namePattern(request({ only: [testCase('a'), testCase('(file)')] }))).toBeUndefined();
    const many = Array.from({ length: 10_000 }, (_, n) => testCase(`test number ${n}`));
    expect(namePattern(request({ only: many }))).toBeUndefined();
    expect(titleGlobs(request({ only: many }))).toEqual([]);
  });
});

describe('selectedFiles', () => {
  it('returns the files of the requested tests where no files are requested', () => {
    expect(selectedFiles(request({ only: [testCase('a'), testCase('b'), testCase('c', 'c.js')] }))).toEqual([
      'a.js',
      'c.js',
    ]);
    expect(selectedFiles(request({ files: ['b.js'], only: [testCase('a')] }))).toEqual(['b.js']);
    const nowhere: TestCase = { id: 'a', name: 'a', status: 'passed' };
    expect(selectedFiles(request({ only: [nowhere] }))).toBeUndefined();
  });
});

describe('selectResults', () => {
  const reported = (
    file: string,
    path: string[],
    status: ReportedTest['status'] = 'passed',
  ): ReportedTest => ({
    file,
    path,
    status,
    errors: status === 'failed' ? [{ message: 'bad' }] : [],
  });
  const hook = (suite: string[]): object => ({
    name: 'hook',
    file: 'a.js',
    suite,
    errors: [{ message: suite.join() }],
  });
  const results = toTestResults(
    {
      tests: [
        reported('a.js', ['outer', 'one']),
        reported('a.js', ['outer', 'two'], 'failed'),
        reported('b.js', [], 'failed'),
        reported('c.js', ['other'], 'failed'),
      ],
      problems: [
        hook(['outer']),
        hook(['elsewhere']),
        { name: 'unhandled', errors: [{ message: 'late' }] },
      ] as never,
    },
    { check: 'tests', paths: createTreePaths('/repo', '/repo') },
  );
  const idsOf = (selected: typeof results): string[] => selected.results.map(({ test }) => test.id);
  const problemsOf = (selected: typeof results): string[] =>
    selected.problems.map((it) => it.diagnostic.message);

  it('keeps the requested tests, and files that could not be loaded', () => {
    expect(idsOf(selectResults(results, request({ only: [testCase('outer > one')] })))).toEqual([
      'a.js > outer > one',
      'b.js > (file)',
    ]);
    expect(idsOf(selectResults(results, request({ files: ['c.js'] })))).toEqual(['c.js > other']);
    expect(selectResults(results, request({}))).toBe(results);
  });

  it('keeps failed hooks of the requested suites, and errors that may concern any test', () => {
    expect(problemsOf(selectResults(results, request({ only: [testCase('outer > one')] })))).toEqual([
      'outer',
      'late',
    ]);
    expect(problemsOf(selectResults(results, request({ files: ['c.js'] })))).toEqual(['late']);
  });

  it('missingTests returns the requested tests without a result', () => {
    const only = [testCase('outer > one'), testCase('gone'), testCase('(file)')];
    const tests = results.results.map(({ test }) => test);
    expect(missingTests(tests, request({ only })).map(({ name }) => name)).toEqual(['gone']);
  });
});
