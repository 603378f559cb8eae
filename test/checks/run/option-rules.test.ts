import { expect, test } from 'vitest';
import { dropOperands, isWatching, keepArguments, operandsOf } from '../../../src/checks/run/option-rules.ts';
import { toolOf, tools, type ToolName } from '../../../src/tools.ts';

test.each<[ToolName, string, string]>([
  ['vitest', 'run --coverage --reporter=verbose --reporter junit src', 'src'],
  ['vitest', '--config vitest.unit.ts --project a -t name', '--config vitest.unit.ts --project a -t name'],
  ['vitest', 'run --coverage.provider v8 --coverage.enabled -u --bail 1 --retry=3', ''],
  ['vitest', 'run --passWithNoTests src', '--passWithNoTests src'],
  ['vitest', '--watch=false --run --silent --environment jsdom', '--environment jsdom'],
  ['jest', '--ci --coverage --watchAll=false --runInBand', '--runInBand'],
  ['jest', '-w 2 -c jest.unit.js --reporters default --bail', '-w 2 -c jest.unit.js'],
  [
    'jest',
    '--updateSnapshot --onlyChanged --testPathPattern src --forceExit',
    '--testPathPattern src --forceExit',
  ],
  ['jest', '--verbose false src/a', 'src/a'],
  ['mocha', '-R spec -r ts-node/register --retries 3 --bail test/*.js', '-r ts-node/register test/*.js'],
  ['mocha', '-u tdd --recursive --exit --timeout 5000', '-u tdd --recursive --exit --timeout 5000'],
  ['mocha', '--reporter-option output=x --no-color --watch-files src', ''],
  [
    'node',
    '--test --import tsx --test-reporter spec --test-reporter=tap test/a.js',
    '--import tsx test/a.js',
  ],
  ['node', '--experimental-test-coverage --test-coverage-lines=90 --env-file=.env', '--env-file=.env'],
  ['ava', '--tap -v --fail-fast --serial -m "*x" test', '--serial -m "*x" test'],
  ['tsc', '-p tsconfig.x.json --noEmit --watch --pretty false --strict', '-p tsconfig.x.json --strict'],
  ['eslint', '--fix --ext .js,.ts --cache --cache-location x -f stylish src', '--ext .js,.ts src'],
  ['eslint', '. --max-warnings 0 --quiet', '. --max-warnings 0 --quiet'],
])('a check by %s keeps of the arguments "%s" only "%s"', (tool, given, kept) => {
  const words = given.split(' ').filter((word) => word !== '');
  expect(keepArguments(toolOf(tool).options, words).join(' ')).toBe(kept);
});

test.each<[ToolName, string, boolean]>([
  ['vitest', 'watch', true],
  ['vitest', 'dev', true],
  ['vitest', '--watch=false', false],
  ['vitest', 'run src/watch', false],
  ['jest', '--watchAll', true],
  ['jest', '-w 2', false],
  ['mocha', '-w', true],
  ['node', '--test --watch', true],
])('%s %s watches for changes: %s', (tool, given, expected) => {
  expect(isWatching(toolOf(tool).options, given.split(' '))).toBe(expected);
});

test('operandsOf returns the words that are neither options nor values of options', () => {
  const args = ['--ext', '.ts', 'src', '--max-warnings', '0', 'test'];
  expect(operandsOf(tools.eslint.options, args)).toEqual(['src', 'test']);
});

test.each<[ToolName, string, string]>([
  ['vitest', 'a.ts --config x.js b.ts', '--config x.js'],
  ['vitest', '--config=x.js b.ts', '--config=x.js'],
  ['vitest', '--globals b.ts', '--globals'],
  ['vitest', '--no-isolate b.ts', '--no-isolate'],
  ['mocha', '--unknown b.js', '--unknown b.js'],
])('without operands, the arguments of %s "%s" are "%s"', (tool, given, kept) => {
  expect(dropOperands(toolOf(tool).options, given.split(' ')).join(' ')).toBe(kept);
});
