import { describe, expect, test } from 'vitest';
import { expandScript } from '../../../../src/checks/detect/scripts/steps.ts';
import type { Step } from '../../../../src/checks/detect/scripts/step.ts';
import type { Files } from '../../../support/repositories.ts';
import { folderWith } from '../package-folder.ts';

const NO_EMIT = { compilerOptions: { noEmit: true } };

function expand(scripts: Record<string, string>, files: Files = {}, runsHooks = true): Step[] {
  return expandScript('test', { scripts, dir: folderWith(files), runsHooks });
}

/** `vitest:src` for a runner with its arguments, `types`, `setup(npm run build)`, … */
function summary(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'nothing') return [];
    if (step.kind === 'other') return [`setup(${step.text})`];
    return [[`${step.kind}:${step.program}`, ...(step.kind === 'runner' ? step.args : [])].join(' ')];
  });
}

describe('expandScript', () => {
  const more: Record<string, string> = {
    build: 'tsc -p tsconfig.build.json',
    clean: 'rimraf dist',
    lint: 'eslint . --fix',
    typecheck: 'tsc --noEmit',
    unit: 'vitest run --coverage',
    'unit:node': 'node --test',
    e2e: 'playwright test',
    'test:a': 'mocha test/a',
    'test:b': 'jest b',
    'test:b:deep': 'ava',
    format: 'prettier --check .',
    loop: 'npm run loop',
    cra: 'react-scripts test',
  };
  test.each<[script: string, expected: string[]]>([
    ['vitest', ['runner:vitest']],
    ['vitest run', ['runner:vitest']],
    ['vitest run --coverage --reporter=dot', ['runner:vitest']],
    ['vitest --config vitest.unit.config.ts', ['runner:vitest --config vitest.unit.config.ts']],
    ['npx vitest run src', ['runner:vitest src']],
    ['npx --no-install -- vitest@3 run', ['runner:vitest']],
    ['pnpm exec vitest run', ['runner:vitest']],
    ['bunx vitest', ['runner:vitest']],
    ['vitest bench', ['test-program:vitest']],
    ['jest', ['runner:jest']],
    ['jest --ci --silent --passWithNoTests', ['runner:jest']],
    ['NODE_OPTIONS=--experimental-vm-modules jest', ['runner:jest']],
    ['cross-env NODE_ENV=test jest -i', ['runner:jest -i']],
    ['node node_modules/jest/bin/jest.js src', ['runner:jest src']],
    ['node --experimental-vm-modules node_modules/.bin/jest', ['runner:jest']],
    ['./node_modules/.bin/jest --runInBand', ['runner:jest --runInBand']],
    ['mocha', ['runner:mocha']],
    [
      "mocha --require ts-node/register 'test/**/*.ts'",
      ['runner:mocha --require ts-node/register test/**/*.ts'],
    ],
    ['nyc mocha -R dot', ['runner:mocha']],
    ['istanbul cover node_modules/mocha/bin/_mocha -- -R spec --bail', ['runner:mocha']],
    [
      'istanbul cover --report lcovonly ./node_modules/.bin/_mocha --dir out -- -t 5000',
      ['runner:mocha -t 5000'],
    ],
    ['istanbul cover _mocha', ['runner:mocha']],
    ['nyc --reporter=lcov --reporter text -- mocha', ['runner:mocha']],
    ['c8 -r html mocha && c8 report', ['runner:mocha']],
    ['c8 --check-coverage --lines 90 node --test', ['runner:node']],
    ['cross-env TS_NODE_PROJECT=x nyc npx mocha --exit', ['runner:mocha --exit']],
    ['node --test', ['runner:node']],
    ['node --test --test-reporter=spec test/*.test.js', ['runner:node test/*.test.js']],
    ['node --import tsx --test', ['runner:node --import tsx']],
    ['tsx --test src/a.test.ts', ['runner:node --import tsx src/a.test.ts']],
    ['node --run unit:node', ['runner:node']],
    ['ava', ['runner:ava']],
    ['xo && ava && tsd', ['lint:xo', 'runner:ava', 'types:tsd']],
    ['standard && mocha', ['lint:standard', 'runner:mocha']],
    ['eslint . && tsc --noEmit && vitest run', ['lint:eslint', 'types:tsc', 'runner:vitest']],
    ['npm run lint && npm run typecheck && npm run unit', ['lint:eslint', 'types:tsc', 'runner:vitest']],
    ['npm run build && mocha', ['setup(npm run build)', 'runner:mocha']],
    ['tsc && node --test dist', ['setup(tsc)', 'runner:node dist']],
    ['rimraf dist && tsc -p . && ava', ['setup(rimraf dist)', 'setup(tsc -p .)', 'runner:ava']],
    [
      'npm run clean && npm run build && npm run unit -- --project a',
      ['setup(npm run clean)', 'setup(npm run build)', 'runner:vitest --project a'],
    ],
    ['run-s build unit', ['setup(tsc -p tsconfig.build.json)', 'runner:vitest']],
    ['run-p lint typecheck unit', ['lint:eslint', 'types:tsc', 'runner:vitest']],
    ['npm-run-all --parallel test:*', ['runner:mocha test/a', 'runner:jest b']],
    ['npm-run-all test:**', ['runner:mocha test/a', 'runner:jest b', 'runner:ava']],
    ['concurrently -n a,b "npm:lint" "vitest run"', ['lint:eslint', 'runner:vitest']],
    ['yarn unit', ['runner:vitest']],
    ['yarn run -s unit', ['runner:vitest']],
    ['yarn vitest run', ['runner:vitest']],
    ['pnpm run unit --project a', ['runner:vitest --project a']],
    ['pnpm run "/^un(it)$/" --project a', ['runner:vitest --project a']],
    ['yarn run vitest run src', ['runner:vitest src']],
    ['pnpm unit && pnpm e2e', ['runner:vitest', 'test-program:playwright']],
    ['bun run unit', ['runner:vitest']],
    ['bun test', ['test-program:bun']],
    ['prettier --check . && jest', ['format:prettier', 'runner:jest']],
    ['jest | tap-spec', ['runner:jest']],
    ['jest || exit 1', ['runner:jest']],
    ['jest; mocha', ['runner:jest', 'runner:mocha']],
    ['set -e; jest', ['runner:jest']],
    ['export A=1 && jest', ['runner:jest']],
    ['tape test/*.js | tap-spec', ['test-program:tape']],
    ['node test.js', ['test-program:node']],
    ['node test/index.js', ['test-program:node']],
    ['node scripts/generate.js && vitest run', ['setup(node scripts/generate.js)', 'runner:vitest']],
    ['npm run cra', ['test-program:react-scripts']],
    ['echo "Error: no test specified" && exit 1', []],
    ['exit 0', []],
    ['date && node -v && npm --version && mocha', ['runner:mocha']],
    ['true', []],
    ['npm run loop', ['setup(npm run loop)']],
    ['npm run missing', ['setup(npm run missing)']],
    ['npm test --workspaces', ['setup(npm test --workspaces)']],
    ['pnpm -r test', ['setup(pnpm -r test)']],
    ['turbo run test', ['setup(turbo run test)']],
    ['nx run-many -t test', ['setup(nx run-many -t test)']],
    ['lerna run test', ['setup(lerna run test)']],
    ['(cd packages/a && jest)', ['test-program:sh']],
    ['[ -d dist ] || npm run build', ['setup([ -d dist ] || npm run build)']],
    ['test -n "$CI" && jest || mocha', ['test-program:sh']],
    ['node server.js & mocha', ['test-program:sh']],
    ['jest $JEST_ARGS', ['test-program:jest']],
    ['npm ci && husky && jest', ['runner:jest']],
  ])('%s', (script, expected) => {
    expect(summary(expand({ ...more, test: script }))).toEqual(expected);
  });

  test('puts pre and post scripts around every script that has them', () => {
    const scripts = {
      pretest: 'npm run build',
      test: 'npm run unit',
      posttest: 'eslint .',
      build: 'tsc -b',
      preunit: 'node gen.js',
      unit: 'jest',
    };
    expect(summary(expand(scripts))).toEqual([
      'setup(npm run build)',
      'setup(node gen.js)',
      'runner:jest',
      'lint:eslint',
    ]);
    expect(summary(expand(scripts, {}, false))).toEqual(['runner:jest']);
  });

  test('passes variables of wrappers, exports and scripts to the runner', () => {
    const scripts = { test: 'export A=1 && B=2 cross-env C=3 npm run unit', unit: 'D=4 env E=5 jest' };
    expect(expand(scripts).at(-1)!.env).toEqual({ A: '1', B: '2', C: '3', D: '4', E: '5' });
  });

  test("appends Node's own options to NODE_OPTIONS", () => {
    const script = 'NODE_OPTIONS=--no-warnings node --experimental-vm-modules node_modules/jest/bin/jest.js';
    expect(expand({ test: script })[0]!.env).toEqual({
      NODE_OPTIONS: '--no-warnings --experimental-vm-modules',
    });
  });

  test('classifies tsc as a check where it writes nothing, also by its tsconfig, and as a build elsewhere', () => {
    const files = {
      'tsconfig.json': '{ // base\n "extends": "./base", "compilerOptions": { "strict": true, } }',
      'base.json': NO_EMIT,
      'tsconfig.build.json': { compilerOptions: { outDir: 'dist' } },
    };
    expect(summary(expand({ test: 'tsc && jest' }, files))).toEqual(['types:tsc', 'runner:jest']);
    expect(summary(expand({ test: 'tsc -p tsconfig.build.json && jest' }, files))).toEqual([
      'setup(tsc -p tsconfig.build.json)',
      'runner:jest',
    ]);
  });

  test('applies cd to the commands behind it', () => {
    const scripts = { test: 'cd packages/a && vitest run' };
    const dir = folderWith({ 'packages/a/x.js': '' });
    expect(expandScript('test', { scripts, dir, runsHooks: true }).at(-1)!.dir).toBe(`${dir}/packages/a`);
  });

  test('expands unquoted patterns to files for vitest, jest and tsc, and passes the pattern to other runners', () => {
    const files = { 'test/a.test.js': '', 'test/deep/b.test.js': '', 'test/c.cts': '', 'test/d.mts': '' };
    const args = (script: string): readonly string[] => expand({ test: script }, files)[0]!.args;
    expect(args('jest test/*.test.js')).toEqual(['test/a.test.js']);
    expect(args('tsc --noEmit test/*.[cm]ts')).toEqual(['--noEmit', 'test/c.cts', 'test/d.mts']);
    expect(args("tsc --noEmit 'test/*.[cm]ts'")).toEqual(['--noEmit', 'test/*.[cm]ts']);
    expect(args('mocha test/**/*.test.[cj]s')).toEqual(['test/*/*.test.[cj]s']);
    expect(args('mocha test/**/*.test.js')).toEqual(['test/*/*.test.js']);
    expect(args("mocha 'test/**/*.test.js'")).toEqual(['test/**/*.test.js']);
    expect(args('mocha spec/*.js')).toEqual(['spec/*.js']);
  });

  test('ends for scripts that call each other in a circle', () => {
    const again = (name: string): string => Array.from({ length: 10 }, () => `npm run ${name}`).join(' && ');
    const steps = expand({ test: again('a'), a: again('b'), b: `${again('test')} && jest` });
    expect(steps.length).toBeLessThan(5000);
  });
});
