import { expect, it, vi } from 'vitest';
import { parseForeignReport } from '../../../src/checks/parsers/foreign-report.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';

interface Reporter {
  jasmineStarted(): void;
  suiteStarted(result: object): void;
  specDone(result: object): void;
  suiteDone(result: object): void;
  jasmineDone(result: object): void;
}

/** What is read from the output of a run with these events; a test printed the beginning of a line in front of each. */
async function readRun(events: (reporter: Reporter) => void): Promise<object> {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  vi.resetModules();
  const { default: JasmineTap } = await import('../../../src/checks/reporters/jasmine-tap.ts');
  const reporter = new JasmineTap() as unknown as Reporter;
  reporter.jasmineStarted();
  lines.push('printed by a test');
  events(reporter);
  spy.mockRestore();
  const origin = { check: 'tests', paths: createTreePaths('/repo', '/repo'), type: 'test_failure' } as const;
  const report = await parseForeignReport(lines.join(''), origin, true);
  if (report?.kind !== 'tests') throw new Error(lines.join(''));
  const { results, problems } = report.results;
  return {
    problems: problems.length,
    tests: results.map(({ test, diagnostics }) => [test.name, test.status, ...diagnostics]),
  };
}

it('the specs of jasmine are read with their suites, values and places', async () => {
  const stack =
    'Error: x\n    at fail (/repo/src/cart.js:4:2)\n    at UserContext.<anonymous> (/repo/a.spec.js:2:1)';
  const read = await readRun((reporter) => {
    reporter.suiteStarted({ description: 'cart' });
    reporter.specDone({ description: 'adds #1', status: 'passed', failedExpectations: [] });
    reporter.specDone({ description: 'waits', status: 'pending' });
    reporter.specDone({
      description: 'counts',
      status: 'failed',
      failedExpectations: [{ message: 'Expected 3 to be 4.', matcherName: 'toBe', stack }],
    });
    reporter.specDone({
      description: 'reads',
      status: 'failed',
      failedExpectations: [{ message: "TypeError: it's missing", matcherName: '', stack }],
    });
    reporter.suiteDone({ description: 'cart', status: 'finished', failedExpectations: [] });
    reporter.jasmineDone({ overallStatus: 'failed', failedExpectations: [] });
  });
  expect(read).toMatchObject({
    problems: 0,
    tests: [
      ['cart > adds #1', 'passed'],
      ['cart > waits', 'skipped'],
      [
        'cart > counts',
        'failed',
        { type: 'test_failure', expected: '4', received: '3', file: 'src/cart.js', line: 4 },
      ],
      [
        'cart > reads',
        'failed',
        { type: 'runtime_error', message: expect.stringContaining("it's missing") as string },
      ],
    ],
  });
});

it('an error outside of the specs is a failure', async () => {
  const read = await readRun((reporter) => {
    reporter.suiteStarted({ description: 'cart' });
    reporter.specDone({ description: 'adds', status: 'passed' });
    reporter.suiteDone({
      description: 'cart',
      status: 'failed',
      failedExpectations: [{ message: 'Error: afterAll' }],
    });
    reporter.jasmineDone({ failedExpectations: [{ message: 'Error: load' }] });
  });
  expect(read).toMatchObject({
    tests: [
      ['cart > adds', 'passed'],
      ['cart > (suite)', 'failed', { message: 'afterAll' }],
      ['(file)', 'failed', { message: 'load' }],
    ],
  });
});

it('stays where a helper replaces all reporters', async () => {
  const reporters: object[] = [];
  const env = {
    clearReporters: () => void reporters.splice(0),
    addReporter: (it: object) => void reporters.push(it),
  };
  vi.stubGlobal('jasmine', { getEnv: () => env });
  const { default: JasmineTap } = await import('../../../src/checks/reporters/jasmine-tap.ts');
  const reporter = new JasmineTap();
  env.clearReporters();
  vi.unstubAllGlobals();
  expect(reporters).toEqual([reporter]);
});
