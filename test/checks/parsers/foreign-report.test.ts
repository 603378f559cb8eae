import { describe, expect, it } from 'vitest';
import { parseForeignReport } from '../../../src/checks/parsers/foreign-report.ts';
import { parseJunit } from '../../../src/checks/parsers/junit.ts';
import { parseSarif } from '../../../src/checks/parsers/sarif.ts';
import { parseTap } from '../../../src/checks/parsers/tap.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';

const ORIGIN = { check: 'tests', type: 'other', paths: createTreePaths('/repo', '/repo') } as const;

describe('parseJunit', () => {
  it('reads nested suites, errors, skipped tests and bodies', () => {
    const report = parseJunit(`<testsuites><testsuite file="a.py"><testsuite name="inner">
      <testcase classname="C" name="one"><error type="builtins.KeyError" message="'k'">Traceback</error></testcase>
      <testcase name="two"><skipped message="later"/></testcase>
      <testcase name="three"><failure>\n  assert 1 == 2\n</failure></testcase>
      <testcase name="four" file="b.py" time="1.5" line="7"/>
    </testsuite></testsuite></testsuites>`);
    expect(report!.tests).toMatchObject([
      { file: 'a.py', path: ['C', 'one'], status: 'failed', errors: [{ name: 'KeyError', message: `'k'` }] },
      { path: ['two'], status: 'skipped' },
      { path: ['three'], status: 'failed', errors: [{ message: 'assert 1 == 2', isAssertion: true }] },
      { file: 'b.py', path: ['four'], status: 'passed', durationMs: 1_500, line: 7 },
    ]);
  });

  it('takes the name of a class that is a file of JavaScript for the file', () => {
    const report = parseJunit(
      `<testsuite name="a"><testcase classname="src/a.test.ts" name="cart &gt; adds"/></testsuite>`,
    );
    expect(report!.tests).toMatchObject([{ file: 'src/a.test.ts', path: ['cart > adds'] }]);
  });

  it('decodes characters and rejects a document type', () => {
    const report = parseJunit(
      `<testsuite><testcase name="a &lt; b &amp;&#x41;&#10; &unknown;"/></testsuite>`,
    );
    expect(report!.tests[0]!.path).toEqual(['a < b &A\n &unknown;']);
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite><testcase name="&a;"/></testsuite>`;
    expect(parseJunit(bomb)).toBeUndefined();
  });

  it('reports errors of a suite as problems', () => {
    const report = parseJunit(
      `<testsuite name="s"><error message="no database"/><testcase name="a"/></testsuite>`,
    );
    expect(report!.problems).toMatchObject([{ name: 's', errors: [{ message: 'no database' }] }]);
  });

  it('returns undefined for any other text', () => {
    expect(parseJunit('<html></html>')).toBeUndefined();
    expect(parseJunit('')).toBeUndefined();
  });

  it('returns undefined for an incomplete document', () => {
    const whole = '<testsuites><testsuite name="s"><testcase name="a"/></testsuite></testsuites>\n';
    expect(parseJunit(whole)!.tests).toHaveLength(1);
    for (const length of [35, 45, 59, 65]) expect(parseJunit(whole.slice(0, length))).toBeUndefined();
    expect(parseJunit('<testsuites/>')!.tests).toEqual([]);
  });
});

describe('parseTap', () => {
  it("names tape's tests by the comments before their assertions, and keeps what a crash cut short", () => {
    const report = parseTap(
      'TAP version 13\n# adds\nok 1 is equal\nnot ok 2 is equal\n# takes\nok 3 is equal\n',
    );
    expect(report!.tests.map(({ path, status }) => [path.join(' > '), status])).toEqual([
      ['adds > is equal', 'passed'],
      ['adds > is equal', 'failed'],
      ['takes > is equal', 'passed'],
    ]);
    expect(report!.problems).not.toEqual([]);
  });

  it('reads subtests, directives and diagnostics', () => {
    const report = parseTap(`TAP version 14
# Subtest: outer
    ok 1 - one
    not ok 2 - two
      ---
      message: 'values differ'
      wanted: 1
      found: 2
      at: src/a.js:3:4
      ...
    1..2
not ok 1 - outer
ok 2 - later # TODO soon
ok 3 - never # SKIP
1..3
`);
    expect(report!.tests).toMatchObject([
      { path: ['outer', 'one'], status: 'passed' },
      {
        path: ['outer', 'two'],
        status: 'failed',
        errors: [{ message: 'values differ', expected: '1', received: '2', stack: 'at src/a.js:3:4' }],
      },
      { path: ['later'], status: 'skipped' },
      { path: ['never'], status: 'skipped' },
    ]);
    expect(report!.problems).toEqual([]);
  });

  it('reports a wrong plan and a bail-out as problems', () => {
    expect(parseTap('1..3\nok 1\nok 2\n')!.problems).toHaveLength(1);
    const bail = parseTap('1..1\nok 1\nBail out! no database\n')!.problems;
    expect(JSON.stringify(bail)).toContain('no database');
  });

  it('returns undefined for any other text', () => {
    expect(parseTap('ok, that went well')).toBeUndefined();
  });
});

describe('parseSarif', () => {
  const log = (results: object[], rules: object[] = []): string =>
    JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { rules } }, results }] });

  it('uses the level of the rule, and leaves out suppressed results and passes', () => {
    const found = parseSarif(
      log(
        [
          { ruleId: 'A', message: { text: 'one' } },
          { ruleId: 'B', message: { text: 'two' } },
          { ruleId: 'B', message: { text: 'three' }, suppressions: [{ kind: 'inSource' }] },
          { ruleId: 'B', message: { text: 'four' }, kind: 'pass' },
          { ruleId: 'B', message: { text: 'five' }, level: 'note' },
        ],
        [{ id: 'A', defaultConfiguration: { level: 'error' } }],
      ),
      ORIGIN,
    );
    expect(found!.map(({ message, severity }) => [message, severity])).toEqual([
      ['one', 'error'],
      ['two', 'warning'],
      ['five', 'info'],
    ]);
  });

  it('resolves file URLs and base URIs to paths relative to the root', () => {
    const place = (uri: string): object => ({ physicalLocation: { artifactLocation: { uri } } });
    const results = ['src/a%20b.c', 'file:///repo/src/c.c', 'file:///elsewhere/d.c'];
    const found = parseSarif(
      log(results.map((uri) => ({ message: { text: 'x' }, locations: [place(uri)] }))),
      ORIGIN,
    );
    expect(found!.map(({ file }) => file)).toEqual(['src/a b.c', 'src/c.c', undefined]);
  });

  it('returns undefined for other JSON', () => {
    expect(parseSarif('{"runs": 3}', ORIGIN)).toBeUndefined();
    expect(parseSarif('null', ORIGIN)).toBeUndefined();
    expect(parseSarif('{', ORIGIN)).toBeUndefined();
  });
});

describe('parseForeignReport', () => {
  it('reads TAP in output wherever it begins, also of several programs', async () => {
    const tap = 'TAP version 13\nok 1 - one\nnot ok 2 - two\n1..2\n';
    const named = (names: readonly string[]) => ({
      kind: 'tests',
      results: { results: names.map((name) => ({ test: { name } })) },
    });
    expect(await parseForeignReport('1..1\nok 1 - one\n', ORIGIN, true)).toMatchObject(named(['one']));
    const banner = '\n> pkg@1.0.0 test\n> tape\n\n';
    expect(await parseForeignReport(`${banner}${tap}`, ORIGIN, true)).toMatchObject(named(['one', 'two']));
    expect(await parseForeignReport(`${tap}${banner}${tap}% Stmts |\n`, ORIGIN, true)).toMatchObject(
      named(['one', 'two', 'one', 'two']),
    );
  });

  it('does not take other output for a report', async () => {
    expect(await parseForeignReport('ok, 3 files\nnot ok\nok 1\n', ORIGIN, true)).toBeUndefined();
    expect(await parseForeignReport('<p>building</p>\n1..2\n', ORIGIN, true)).toBeUndefined();
    expect(await parseForeignReport('{"fine": true}', ORIGIN, true)).toBeUndefined();
    expect(await parseForeignReport('', ORIGIN, true)).toBeUndefined();
  });
});

describe('what jest --json writes', () => {
  const file = (status: string): object => ({
    name: '/repo/a.test.js',
    status,
    message: '',
    assertionResults: [
      {
        ancestorTitles: ['cart'],
        title: 'adds',
        status,
        location: { line: 3, column: 1 },
        failureMessages: [],
      },
    ],
  });

  it('is read as tests', async () => {
    const text = JSON.stringify({ numTotalTests: 1, testResults: [file('passed')] });
    const report = await parseForeignReport(text, ORIGIN);
    expect(report).toMatchObject({
      kind: 'tests',
      results: { results: [{ test: { file: 'a.test.js', name: 'cart > adds', status: 'passed' } }] },
    });
  });

  it('is nothing where it is cut off', async () => {
    const text = JSON.stringify({ numTotalTests: 1, testResults: [file('passed')] });
    expect(await parseForeignReport(text.slice(0, -3), ORIGIN)).toBeUndefined();
  });
});
