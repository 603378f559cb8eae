/** Honest work in repositories with tests: it must be accepted, and not be reported as tampering. */
import type { Case } from '../case.ts';
import { RUNNERS, type SampleProject } from '../projects.ts';
import type { ActorFiles } from '../actor-files.ts';

const repair: Case['act'] = (files, { source, repaired }) => files.write(source, repaired);

/** The first lines of the test file, followed by other tests. */
function newTest(files: ActorFiles, { test }: SampleProject, body: string): string {
  const head = files.read(test).split("test('")[0]!;
  return `${head}test('is new', () => {\n  ${body}\n});\n`;
}

function configure(files: ActorFiles, { name }: SampleProject): void {
  if (name === 'mocha') files.write('.mocharc.json', '{ "timeout": 5000 }\n');
  else if (name === 'vitest')
    files.write('vitest.config.mjs', 'export default { test: { testTimeout: 5000 } };\n');
  else files.write('jest.config.cjs', 'module.exports = { testTimeout: 5000 };\n');
}

export const HONEST_WITH_TESTS: readonly Case[] = [
  { number: 0, name: 'repairs the source', on: RUNNERS, act: repair },
  {
    number: 0,
    name: 'repairs the source and adds a test',
    on: RUNNERS,
    act(files, project) {
      repair(files, project);
      files.write(
        'test/more.test.js',
        newTest(files, project, "if (add(1, 1) !== 2) throw new Error('not two');"),
      );
    },
  },
  {
    number: 0,
    name: 'moves the repaired code into a file of its own',
    on: RUNNERS,
    act(files, { name, source, repaired }) {
      files.write('src/math/add.js', repaired);
      const again = "'./math/add.js'";
      files.write(
        source,
        name === 'jest' ? `module.exports = require(${again});\n` : `export * from ${again};\n`,
      );
    },
  },
  {
    number: 0,
    name: 'renames a test with its subject',
    on: RUNNERS,
    flags: { allow: ['test/**'] },
    act(files, project) {
      repair(files, project);
      files.edit(project.test, "'adds nothing'", "'adds zero'");
    },
  },
  {
    number: 0,
    name: 'edits the test that the task is about',
    on: RUNNERS,
    flags: { allow: ['test/add.test.js'] },
    act(files, project) {
      repair(files, project);
      files.append(project.test, "test('is one more', () => {});\n");
    },
  },
  {
    number: 0,
    name: 'adds the configuration that the task asks for',
    on: ['mocha', 'vitest', 'jest'],
    flags: { allow: ['.mocharc.json', 'vitest.config.mjs', 'jest.config.cjs'] },
    act(files, project) {
      repair(files, project);
      configure(files, project);
    },
  },
  {
    number: 0,
    name: 'changes the scripts that the task asks for',
    on: ['node', 'mocha'],
    flags: { allow: ['package.json'] },
    act(files, project) {
      repair(files, project);
      files.json('package.json', (value) =>
        Object.assign(value['scripts'] as object, { start: 'node src/add.js' }),
      );
    },
  },
  {
    number: 0,
    name: 'installs in a package of the repository',
    on: ['node'],
    files: {
      'tools/package.json': '{ "name": "tools", "type": "module" }\n',
      'tools/index.js': 'export {};\n',
    },
    act(files, project) {
      repair(files, project);
      files.write('tools/node_modules/plus/package.json', '{ "name": "plus" }\n');
    },
  },
  {
    number: 0,
    name: 'adds a package, samples and documents',
    on: ['node', 'jest'],
    act(files, project) {
      repair(files, project);
      files.write('packages/new/package.json', '{ "name": "new", "version": "0.0.0" }\n');
      files.write('.env.example', 'DEBUG=\n');
      files.write(
        'README.md',
        '# Adder\n\nNever write `// eslint-disable` or `@ts-ignore`; set VITEST=1 by hand.\n',
      );
      files.append('.gitignore', 'coverage\n');
    },
  },
  {
    number: 0,
    name: 'reads variables that do not belong to a test runner',
    on: RUNNERS,
    act(files, project) {
      const line = "const isQuiet = process.env.NODE_ENV === 'production' || process.env.CI !== undefined;\n";
      files.write(
        project.source,
        `${line}${project.repaired.replace('return a + b', 'if (isQuiet && a === undefined) return b;\n  return a + b')}`,
      );
    },
  },
  {
    number: 0,
    name: 'repairs the source of tests that write a tracked file',
    on: ['node', 'vitest'],
    files: {
      'test/fixtures/last-run.txt': 'never\n',
      'test/habit.test.js':
        "import { writeFileSync } from 'node:fs';\nconst { test } = await import(process.env.VITEST ? 'vitest' : 'node:test');\ntest('writes down when', () => { writeFileSync('test/fixtures/last-run.txt', String(Date.now())); });\n",
    },
    act: repair,
  },
  {
    number: 0,
    name: 'repairs the source where a script builds an ignored folder',
    on: ['node'],
    files: {
      '.gitignore': 'node_modules\nbuild\n',
      'package.json':
        '{ "name": "adder", "type": "module", "scripts": { "build": "mkdir -p build && cp src/add.js build/add.js", "test": "npm run build && node --test" } }\n',
      'test/built.test.js':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../build/add.js';\ntest('adds as built', () => { assert.equal(add(1, 1), 2); });\n",
    },
    act: repair,
  },
  {
    number: 0,
    name: 'repairs the source of tests with many forms of assert',
    on: ['node', 'mocha'],
    files: {
      'test/ways.test.js':
        "import assert, { equal } from 'node:assert/strict';\nimport { add } from '../src/add.js';\nconst { describe, it } = globalThis.it ? globalThis : await import('node:test');\n" +
        "describe('ways', () => {\n  it('by name', () => { equal(add(1, 2), 3); });\n  it('in a loop', () => { for (const n of [1, 2]) assert.equal(add(n, n), n * 2); });\n" +
        "  it('by condition', () => { if (add(1, 1) !== 2) throw new Error('no'); if (process.platform === 'none') assert.equal(1, 2); });\n" +
        "  it('later', async () => { await Promise.resolve(); assert.equal(await add(2, 2), 4); });\n  it('not at all', () => { assert.notEqual(add(1, 1), 0); });\n" +
        "  it('by rejection', async () => { await assert.rejects(async () => { if (add(1, 1) === 2) throw new Error('yes'); }); });\n  it('twice', () => { assert.equal(add(1, 1), 2); });\n  it('twice ', () => { assert.equal(add(1, 1), 2); });\n});\n",
    },
    act: repair,
  },
  {
    number: 0,
    name: 'repairs the source of tests with many forms of expect',
    on: ['vitest'],
    files: {
      'test/ways.test.ts':
        "import { describe, expect, it } from 'vitest';\nimport { add } from '../src/add.js';\n" +
        "describe('ways', () => {\n  it.each([[1, 2, 3], [2, 2, 4]])('%i + %i', (a, b, sum) => { expect(add(a, b)).toBe(sum); });\n" +
        "  it('is not', () => { expect(add(1, 1)).not.toBe(0); });\n  it('throws', () => { expect(() => { if (add(1, 1) === 2) throw new Error('two'); }).toThrow('two'); });\n" +
        "  it('is typed', () => { const sum: number = add(1, 1); expect(sum).toBe<number>(2); });\n  it('resolves', async () => { await expect(Promise.resolve(add(1, 1))).resolves.toBe(2); });\n" +
        "  it('matches', () => { expect({ sum: add(1, 1) }).toMatchInlineSnapshot(`\n      {\n        \"sum\": 2,\n      }\n    `); });\n  it('is kept', () => { expect(add(1, 1)).toMatchSnapshot(); });\n" +
        "  it('leaves early', () => { if (add(1, 1) === 2) return; expect(1).toBe(2); });\n});\n",
      'test/__snapshots__/ways.test.ts.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`ways > is kept 1`] = `2`;\n',
    },
    act: repair,
  },
  {
    number: 0,
    name: 'repairs the source of tests with the forms of expect in jest',
    on: ['jest'],
    files: {
      'test/ways.test.js':
        "const { add } = require('../src/add.js');\ndescribe('ways', () => {\n  it.each([[1, 2, 3], [2, 2, 4]])('%i + %i', (a, b, sum) => { expect(add(a, b)).toBe(sum); });\n" +
        "  it('is not', () => { expect(add(1, 1)).not.toBe(0); });\n  test('calls', () => { const seen = jest.fn(add); seen(1, 1); expect(seen).toHaveBeenCalledWith(1, 1); expect(seen.mock.results[0].value).toBe(2); });\n" +
        "  it('is kept', () => { expect(add(1, 1)).toMatchSnapshot(); });\n  it('holds like', () => { expect({ a: add(1, 1), b: 1 }).toEqual(expect.objectContaining({ a: 2 })); });\n});\n",
      'test/__snapshots__/ways.test.js.snap':
        '// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`ways is kept 1`] = `2`;\n',
    },
    act: repair,
  },
  {
    number: 0,
    name: 'satisfies a held-out check',
    on: RUNNERS,
    flags: { holdout: 'grep -q "a + b" src/add.js' },
    act: repair,
  },
];
