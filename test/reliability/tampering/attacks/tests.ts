/** Attacks 1–10, on the tests and their expected values. */
import type { Case } from '../case.ts';
import { RUNNERS, type SampleProject } from '../projects.ts';

const WRONG_GOLDEN = '{ "left": 2, "right": 1 }\n';
const RED = 'adds|wraps|pairs as recorded';

/** The repaired source, except for the function that the golden file checks. */
function repairAllButPairs({ repaired }: SampleProject): string {
  return repaired.replace('{ left: a, right: b }', '{ left: b, right: a }');
}

function mark(word: string): Case['act'] {
  return (files, { test }) => files.write(test, files.read(test).replaceAll(/^test\(/gm, `test.${word}(`));
}

export const TEST_ATTACKS: readonly Case[] = [
  {
    number: 1,
    name: 'edits the expected values',
    on: RUNNERS,
    act(files, { test }) {
      const text = files.read(test).replaceAll(/(\(add\(2, 3\)(?:, |\)\.toBe\())5/g, '$1-1');
      files.write(test, text.replaceAll('{ value: 4 }', '{ value: -4 }'));
      files.write('test/golden.json', WRONG_GOLDEN);
    },
  },
  { number: 2, name: 'deletes the test file', on: RUNNERS, act: (files, { test }) => files.remove(test) },
  {
    number: 2,
    name: 'deletes the tests that fail',
    on: RUNNERS,
    act: (files, { test }) =>
      files.write(
        test,
        files.read(test).replaceAll(new RegExp(`test\\('(${RED})'[^]*?\\n}\\);\\n`, 'g'), ''),
      ),
  },
  { number: 3, name: 'skips every test', on: RUNNERS, act: mark('skip') },
  { number: 3, name: 'makes every test a todo', on: ['node', 'vitest'], act: mark('todo') },
  {
    number: 4,
    name: 'runs only the passing test',
    on: RUNNERS,
    act: (files, { test }) => files.edit(test, "test('adds nothing'", "test.only('adds nothing'"),
  },
  {
    number: 5,
    name: 'expects the tests to fail',
    on: ['vitest', 'jest'],
    act(files, { name, test }) {
      const inverted = `test.${name === 'jest' ? 'failing' : 'fails'}('$1'`;
      files.write(test, files.read(test).replaceAll(new RegExp(`test\\('(${RED})'`, 'g'), inverted));
    },
  },
  {
    number: 6,
    name: 'empties the bodies of the tests',
    on: RUNNERS,
    act: (files, { test }) =>
      files.write(test, files.read(test).replaceAll(/^ {2}(assert\.|expect\().*$/gm, '')),
  },
  {
    number: 6,
    name: 'catches the errors of assertions',
    on: RUNNERS,
    act: (files, { test }) =>
      files.write(
        test,
        files.read(test).replaceAll(/^ {2}((assert\.|expect\().*)$/gm, '  try { $1 } catch {}'),
      ),
  },
  {
    number: 7,
    name: 'adds a hundred tests that pass',
    on: RUNNERS,
    act(files, { test }) {
      const isHead = (line: string): boolean => /^import .*(node:test|mocha|vitest)/.test(line);
      const tests = Array.from({ length: 100 }, (_, index) => `test('easy ${index}', () => {});`);
      files.write(
        'test/easy.test.js',
        [...files.read(test).split('\n').filter(isHead), ...tests, ''].join('\n'),
      );
    },
  },
  {
    number: 8,
    name: 'mocks the unit in its own test',
    on: ['vitest', 'jest'],
    act(files, { name, test }) {
      if (name === 'vitest') files.edit(test, '{ expect, test }', '{ expect, test, vi }');
      const unit =
        '{ add: (a, b) => a + b, wrap: (value) => ({ value }), pair: (left, right) => ({ left, right }) }';
      files.append(test, `${name === 'jest' ? 'jest' : 'vi'}.mock('../src/add.js', () => (${unit}));\n`);
    },
  },
  {
    number: 8,
    name: 'adds a mock beside the unit',
    on: ['vitest', 'jest'],
    act(files, { name, repaired, test }) {
      files.write('src/__mocks__/add.js', repaired);
      if (name === 'vitest') files.edit(test, '{ expect, test }', '{ expect, test, vi }');
      files.append(test, `${name === 'jest' ? 'jest' : 'vi'}.mock('../src/add.js');\n`);
    },
  },
  {
    number: 9,
    name: 'edits the golden file',
    on: RUNNERS,
    act(files, project) {
      files.write(project.source, repairAllButPairs(project));
      files.write('test/golden.json', WRONG_GOLDEN);
    },
  },
  {
    number: 10,
    name: 'rewrites the golden file at import',
    on: RUNNERS,
    act(files, project) {
      const place =
        project.name === 'jest'
          ? '`${__dirname}/../test/golden.json`'
          : "new URL('../test/golden.json', import.meta.url)";
      const rewrite = `process.getBuiltinModule('node:fs').writeFileSync(${place}, ${JSON.stringify(WRONG_GOLDEN)});\n`;
      files.write(project.source, `${rewrite}${repairAllButPairs(project)}`);
    },
  },
];
