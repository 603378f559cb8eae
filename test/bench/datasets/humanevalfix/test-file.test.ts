import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { runPlainly } from '../../../../bench/datasets/humanevalfix/judge.ts';
import { renderTestFile } from '../../../../bench/datasets/humanevalfix/test-file.ts';
import { childEnvironment } from '../../../../src/platform/processes/environment.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';

const FROM = { module: '../src/index.js', names: ['f'] };

function runConverted(program: string, tests: string): { passed: boolean; output: string } {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': {},
    'src/index.js': `${program}\nmodule.exports = { f };\n`,
    'test/index.test.js': renderTestFile(tests, FROM),
  });
  const { exitCode, stdout } = execaSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: root,
    env: childEnvironment(),
    extendEnv: false,
    reject: false,
  });
  return { passed: exitCode === 0, output: stdout };
}

/** Tests, a program that passes them, and one that fails them. */
const SHAPES: Readonly<Record<string, readonly [tests: string, correct: string, buggy: string]>> = {
  'comparisons in a function': [
    'const testF = () => {\n  console.assert(f(1) === 2)\n  console.assert(f(2) === 3)\n}\n\ntestF()\n',
    'const f = (n) => n + 1;',
    'const f = (n) => 2 * n;',
  ],
  'compared JSON': [
    'const testF = () => {\n  console.assert(JSON.stringify(f([2, 1])) === JSON.stringify([1, 2]))\n}\ntestF()',
    'const f = (list) => [...list].sort();',
    'const f = (list) => list;',
  ],
  'a comparison by another operator': [
    'const testF = () => {\n  console.assert(Math.abs(f(1) - 0.5) < 1e-6)\n}\ntestF()',
    'const f = (n) => n / 2;',
    'const f = (n) => n;',
  ],
  'the truth of a value': [
    'function testF() {\n  console.assert(f(1));\n  console.assert(!f(2) && f(3) === true);\n}\ntestF();',
    'const f = (n) => n % 2 === 1;',
    'const f = (n) => n;',
  ],
  'a comparison of NaN': [
    'const testF = () => {\n  console.assert(f(1) === f(1))\n}\ntestF()',
    'const f = () => 0;',
    'const f = () => NaN;',
  ],
  'a comparison of -0 with 0': [
    'const testF = () => {\n  console.assert(f(1) === 0)\n}\ntestF()',
    'const f = () => -0;',
    'const f = () => 1;',
  ],
  'a loop': [
    'const testF = () => {\n  for (let i = 0; i < 9; i++) {\n    const s = f(i)\n    console.assert(s === i * i)\n  }\n  console.assert(f(2) === 4)\n}\ntestF()',
    'const f = (n) => n * n;',
    'const f = (n) => (n < 8 ? n * n : 0);',
  ],
  'a helper beside it': [
    'const twice = (n) => 2 * n;\nconst testF = () => {\n  console.assert(f(4) === twice(4))\n}\ntestF()',
    'const f = (n) => n + n;',
    'const f = (n) => n;',
  ],
  'a helper that asserts': [
    'function check(n, m) { console.assert(f(n) === m, "for", n); }\nconst testF = () => {\n  check(1, 2)\n  check(3, 4)\n}\ntestF()',
    'const f = (n) => n + 1;',
    'const f = () => 2;',
  ],
  'assertions outside of functions': [
    'console.assert(f(1) === 1);\nconsole.assert((f(2) === 2));',
    'const f = (n) => n;',
    'const f = () => 1;',
  ],
  'two test functions': [
    'const testA = () => { console.assert(f(1) === 1) }\nfunction testB() { console.assert(f(2) === 2) }\ntestA()\ntestB()',
    'const f = (n) => n;',
    'const f = () => 1;',
  ],
  'an async function': [
    'const testF = async () => {\n  console.assert((await f(1)) === 1)\n}\ntestF()',
    'const f = async (n) => n;',
    'const f = async () => 2;',
  ],
  'a function that is called twice': [
    'let calls = 0;\nconst testF = () => { calls += 1; console.assert(f(calls) === 1) }\ntestF()\ntestF()',
    'const f = () => 1;',
    'const f = (n) => n;',
  ],
  'a program that throws': [
    'const testF = () => {\n  console.assert(f([1]) === 1)\n}\ntestF()',
    'const f = (list) => list[0];',
    'const f = (list) => list.nothing[0];',
  ],
};

describe('renderTestFile', () => {
  it.each(Object.entries(SHAPES))('keeps the verdict of %s', async (_name, [tests, correct, buggy]) => {
    const { signal } = new AbortController();
    expect(await runPlainly(correct, tests, signal)).toBeUndefined();
    expect(runConverted(correct, tests)).toMatchObject({ passed: true });
    expect(await runPlainly(buggy, tests, signal)).toMatch(/./);
    expect(runConverted(buggy, tests)).toMatchObject({ passed: false });
  });
});

describe('a rendered test file', () => {
  it('has one test per assertion, with both values in the failure', () => {
    const tests = 'const t = () => {\n  console.assert(f(1) === 2)\n  console.assert(f(5) === 7)\n}\nt()';
    const { output } = runConverted('const f = (n) => n + 1;', tests);
    expect(output).toMatch(/^ok 1 - f\(1\) === 2$/m);
    expect(output).toMatch(/^not ok 2 - f\(5\) === 7$/m);
    expect(output).toMatch(/expected: 7\s+actual: 6/);
    expect(output).toMatch(/code: 'ERR_ASSERTION'/);
  });

  it('evaluates each side once, the left one first', () => {
    const tests =
      "const seen = [];\nconst note = (n) => { seen.push(n); return 1; };\nconst t = () => {\n  console.assert(note('left') === note('right'))\n  console.assert(seen.join() === 'left,right')\n}\nt()";
    expect(runConverted('const f = () => 1;', tests)).toMatchObject({ passed: true });
  });

  it('numbers tests with equal titles', () => {
    const text = renderTestFile('console.assert(f(1) === 1)\nconsole.assert(f(1) === 1)', FROM);
    expect(text).toContain('test("f(1) === 1", ');
    expect(text).toContain('test("f(1) === 1 (2)", ');
  });

  it.each([
    ['const test = () => 1;\nconsole.assert(f(test()) === 1)', 'The name "test" is declared'],
    ['console.assert(', 'does not parse'],
  ])('is rejected for %j', (text, message) => {
    expect(() => renderTestFile(text, FROM)).toThrow(message);
  });
});

it('node --test exits with 1 for a failing file', () => {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': {}, 'test/a.test.js': 'throw new Error();' });
  const { exitCode } = execaSync(process.execPath, ['--test', join('test', 'a.test.js')], {
    cwd: root,
    env: childEnvironment(),
    extendEnv: false,
    reject: false,
  });
  expect(exitCode).toBe(1);
});
