import { expect, test } from 'vitest';
import {
  isWatching,
  keepArguments,
  operandsOf,
  type KnownProgram,
} from '../../../src/checks/detect/arguments.ts';

test.each<[KnownProgram, string, string]>([
  ['vitest', 'run --coverage --reporter=verbose --reporter junit src', 'src'],
  ['vitest', '--config vitest.unit.ts --project a -t name', '--config vitest.unit.ts --project a -t name'],
  ['vitest', 'run --coverage.provider v8 --coverage.enabled --passWithNoTests -u --bail 1 --retry=3', ''],
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
])('%s keeps of "%s": "%s"', (program, given, kept) => {
  const words = given.split(' ').filter((word) => word !== '');
  expect(keepArguments(program, words).join(' ')).toBe(kept);
});

test.each<[KnownProgram, string, boolean]>([
  ['vitest', 'watch', true],
  ['vitest', 'dev', true],
  ['vitest', '--watch=false', false],
  ['vitest', 'run src/watch', false],
  ['jest', '--watchAll', true],
  ['jest', '-w 2', false],
  ['mocha', '-w', true],
  ['node', '--test --watch', true],
])('%s %s waits for changes: %s', (program, given, expected) => {
  expect(isWatching(program, given.split(' '))).toBe(expected);
});

test('operands are what is neither an option nor the value of one', () => {
  expect(operandsOf('eslint', ['--ext', '.ts', 'src', '--max-warnings', '0', 'test'])).toEqual([
    'src',
    'test',
  ]);
});
