import { describe, expect, it } from 'vitest';
import {
  filesToRun,
  missingTests,
  namePattern,
  narrowResults,
  titleGlobs,
} from '../../../src/checks/tools/narrowing.ts';
import { toTestResults } from '../../../src/checks/results/test-results.ts';
import type { ReportedTest } from '../../../src/checks/results/test-report.ts';
import { createTreePaths } from '../../../src/checks/run/tree-paths.ts';
import type { CheckRequest } from '../../../src/ports.ts';
import type { TestCase } from '../../../src/schema/generated.ts';

function asking(narrowing: Pick<CheckRequest, 'files' | 'only'>): CheckRequest {
  const signal = new AbortController().signal;
  return { root: '/repo', cacheDir: '/cache', fresh: false, timeoutMs: 1, signal, ...narrowing };
}

function testCase(name: string, file: string | undefined = 'a.js'): TestCase {
  return { id: `${file} > ${name}`, name, status: 'passed', ...(file === undefined ? {} : { file }) };
}

describe('namePattern', () => {
  it('matches full names joined by spaces, and nothing longer', () => {
    const pattern = new RegExp(
      namePattern(asking({ only: [testCase('outer > a (b) [c] $1.0'), testCase('x\ny')] }))!,
    );
    expect(pattern.test('outer a (b) [c] $1.0')).toBe(true);
    expect(pattern.test(' outer a (b) [c] $1.0')).toBe(true);
    expect(pattern.test('x y')).toBe(true);
    expect(pattern.test('outer a (b) [c] $1.0 and more')).toBe(false);
    expect(pattern.test('outer a (b) [c] $150')).toBe(false);
  });

  it('is left out for whole files and for more names than a command line takes', () => {
    expect(namePattern(asking({}))).toBeUndefined();
    expect(namePattern(asking({ only: [testCase('a'), testCase('(file)')] }))).toBeUndefined();
    const many = Array.from({ length: 10_000 }, (_, n) => testCase(`test number ${n}`));
    expect(namePattern(asking({ only: many }))).toBeUndefined();
    expect(titleGlobs(asking({ only: many }))).toEqual([]);
  });
});

describe('filesToRun', () => {
  it('takes the files of the tests asked for where no files are', () => {
    expect(filesToRun(asking({ only: [testCase('a'), testCase('b'), testCase('c', 'c.js')] }))).toEqual([
      'a.js',
      'c.js',
    ]);
    expect(filesToRun(asking({ files: ['b.js'], only: [testCase('a')] }))).toEqual(['b.js']);
    const nowhere: TestCase = { id: 'a', name: 'a', status: 'passed' };
    expect(filesToRun(asking({ only: [nowhere] }))).toBeUndefined();
  });
});

describe('narrowResults', () => {
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
  const idsOf = (narrowed: typeof results): string[] => narrowed.results.map(({ test }) => test.id);
  const problemsOf = (narrowed: typeof results): string[] =>
    narrowed.problems.map((it) => it.diagnostic.message);

  it('keeps what was asked for, and files that could not be loaded', () => {
    expect(idsOf(narrowResults(results, asking({ only: [testCase('outer > one')] })))).toEqual([
      'a.js > outer > one',
      'b.js > (file)',
    ]);
    expect(idsOf(narrowResults(results, asking({ files: ['c.js'] })))).toEqual(['c.js > other']);
    expect(narrowResults(results, asking({}))).toBe(results);
  });

  it('keeps failed hooks of the suites asked for, and errors that may be of any test', () => {
    expect(problemsOf(narrowResults(results, asking({ only: [testCase('outer > one')] })))).toEqual([
      'outer',
      'late',
    ]);
    expect(problemsOf(narrowResults(results, asking({ files: ['c.js'] })))).toEqual(['late']);
  });

  it('knows which of the tests asked for are missing', () => {
    const only = [testCase('outer > one'), testCase('gone'), testCase('(file)')];
    const tests = results.results.map(({ test }) => test);
    expect(missingTests(tests, asking({ only })).map(({ name }) => name)).toEqual(['gone']);
  });
});
