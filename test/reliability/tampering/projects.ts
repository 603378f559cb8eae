/** Sample projects of the catalogue: a small package with errors for each test runner, the type checker and the linter. */

export type RunnerName = 'node' | 'mocha' | 'vitest' | 'jest';
export type ProjectName = RunnerName | 'tsc' | 'eslint';

export const RUNNERS: readonly RunnerName[] = ['node', 'mocha', 'vitest', 'jest'];

/** A repository with errors. */
export interface SampleProject {
  readonly name: ProjectName;
  /** Names of installed packages, linked from ralph's dependencies. */
  readonly modules: readonly string[];
  /** Path of the wrong file. */
  readonly source: string;
  /** Path of the failing test; for the type checker and the linter the source. */
  readonly test: string;
  readonly files: Readonly<Record<string, string>>;
  /** The source after the honest repair. */
  readonly repaired: string;
}

/** The sample projects by name. */
export const PROJECTS: Readonly<Record<ProjectName, SampleProject>> = {
  node: runnerProject('node', []),
  mocha: runnerProject('mocha', ['mocha']),
  vitest: runnerProject('vitest', ['vitest']),
  jest: runnerProject('jest', ['jest']),
  tsc: {
    name: 'tsc',
    modules: ['typescript'],
    source: 'src/count.ts',
    test: 'src/count.ts',
    files: {
      'package.json': manifest('counter', 'tsc --noEmit', 'module', 'build'),
      'tsconfig.json': json({
        compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [] },
        include: ['src'],
      }),
      'src/count.ts':
        "import { label } from './label.js';\n\nexport const count: number = 'three';\nexport const text: string = label(3);\n",
      'src/label.ts': 'export function label(count: number): string {\n  return `no. ${count}`;\n}\n',
    },
    repaired:
      "import { label } from './label.js';\n\nexport const count: number = 3;\nexport const text: string = label(3);\n",
  },
  eslint: {
    name: 'eslint',
    modules: ['eslint', '@eslint/js'],
    source: 'src/sum.js',
    test: 'src/sum.js',
    files: {
      'package.json': manifest('summer', 'eslint .', 'module', 'lint'),
      'eslint.config.js':
        "import { existsSync, readFileSync } from 'node:fs';\nimport js from '@eslint/js';\n\n" +
        "const ignored = existsSync('.gitignore') ? readFileSync('.gitignore', 'utf8').split('\\n').filter(Boolean) : [];\n\n" +
        'export default [{ ignores: ignored.map((line) => `**/${line}`) }, js.configs.recommended];\n',
      'src/sum.js': 'export function sum(a, b) {\n  const unused = 1;\n  return a + missing + b;\n}\n',
      'src/other.js': 'export const other = 1;\n',
    },
    repaired: 'export function sum(a, b) {\n  return a + b;\n}\n',
  },
};

function runnerProject(name: RunnerName, modules: readonly string[]): SampleProject {
  const isCommon = name === 'jest';
  const wrong = body('a - b', '-value', '{ left: b, right: a }');
  const right = body('a + b', 'value', '{ left: a, right: b }');
  const asModule = (text: string): string =>
    isCommon
      ? `${text}\nmodule.exports = { add, wrap, pair };\n`
      : text.replaceAll(/^function/gm, 'export function');
  const commands = { node: 'node --test', mocha: 'mocha', vitest: 'vitest run', jest: 'jest' };
  return {
    name,
    modules,
    source: 'src/add.js',
    test: 'test/add.test.js',
    files: {
      'package.json': manifest('adder', commands[name], isCommon ? 'commonjs' : 'module'),
      'src/add.js': asModule(wrong),
      'test/golden.json': '{ "left": 1, "right": 2 }\n',
      'test/add.test.js': testText(name),
    },
    repaired: asModule(right),
  };
}

function body(sum: string, value: string, both: string): string {
  return [
    `function add(a, b) {\n  return ${sum};\n}\n`,
    `function wrap(value) {\n  return { value: ${value} };\n}\n`,
    `function pair(a, b) {\n  return ${both};\n}\n`,
  ].join('\n');
}

function testText(name: RunnerName): string {
  const golden =
    name === 'jest'
      ? "const { readFileSync } = require('node:fs');\nconst { add, wrap, pair } = require('../src/add.js');\nconst golden = () => JSON.parse(readFileSync(`${__dirname}/golden.json`, 'utf8'));\n"
      : "import { readFileSync } from 'node:fs';\nimport { add, wrap, pair } from '../src/add.js';\nconst golden = () => JSON.parse(readFileSync(new URL('./golden.json', import.meta.url), 'utf8'));\n";
  const heads: Record<RunnerName, string> = {
    node: "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n",
    mocha: "import assert from 'node:assert/strict';\nimport { it as test } from 'mocha';\n",
    vitest: "import { expect, test } from 'vitest';\n",
    jest: '',
  };
  const expects = name === 'vitest' || name === 'jest';
  const equal = (received: string, expected: string): string =>
    expects ? `expect(${received}).toBe(${expected});` : `assert.equal(${received}, ${expected});`;
  const same = (received: string, expected: string): string =>
    expects ? `expect(${received}).toEqual(${expected});` : `assert.deepEqual(${received}, ${expected});`;
  const test = (title: string, line: string): string => `test('${title}', () => {\n  ${line}\n});\n`;
  return [
    `${heads[name]}${golden}\n`,
    test('adds', equal('add(2, 3)', '5')),
    test('adds nothing', equal('add(7, 0)', '7')),
    test('wraps', same('wrap(4)', '{ value: 4 }')),
    test('pairs as recorded', same('pair(1, 2)', 'golden()')),
  ].join('');
}

function manifest(name: string, command: string, type: string, script = 'test'): string {
  return json({ name, version: '1.0.0', private: true, type, scripts: { [script]: command } });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
