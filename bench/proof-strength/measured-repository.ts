import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { createEvaluator } from '../../src/proof/evaluator.ts';
import { createStrengthMeter } from '../../src/proof/strength/strength-meter.ts';
import type { CheckPlan } from '../../src/ports/plan.ts';
import type { ProofStrength } from '../../src/schema/generated.ts';
import { createCheck } from '../../src/tools.ts';
import { commitRepository } from '../repository.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

const BINS = {
  node: undefined,
  vitest: 'node_modules/vitest/vitest.mjs',
  mocha: 'node_modules/mocha/bin/mocha.js',
  jest: 'node_modules/jest/bin/jest.js',
} as const;

export type Runner = keyof typeof BINS;

/** A repository whose working tree holds a change. */
export interface ChangedRepository {
  readonly root: string;
  readonly runner: Runner;
  /** Files of the base and of the result, by path. */
  readonly base: Readonly<Record<string, string>>;
  readonly result: Readonly<Record<string, string>>;
}

/** Arguments of the runner for all tests. */
export function argsOf(runner: Runner): string[] {
  return runner === 'mocha' ? ['test/**/*.test.*'] : [];
}

/** Path of the runner's program below the root; undefined for node itself. */
export function binOf(runner: Runner): string | undefined {
  return BINS[runner];
}

/** Writes the result over the committed base and measures the strength of its tests. Throws unless they pass. */
export async function measureStrength(
  { root, runner, base, result }: ChangedRepository,
  timeoutMs: number,
): Promise<ProofStrength> {
  write(root, { '.gitignore': 'node_modules\n', ...base });
  for (const name of ['vitest', 'mocha', 'jest', '@jest/globals', 'typescript']) link(root, name);
  commitRepository(root);
  write(root, result);
  const patch = execaSync('git', ['diff'], { cwd: root, stripFinalNewline: false }).stdout;
  const check: CheckPlan = {
    ...{ name: 'tests', kind: 'tests', tool: runner, cwd: '.', bin: BINS[runner], setup: [] },
    ...{ args: argsOf(runner), weight: 1, source: 'bench' },
  };
  const plan = {
    ...{ repository: root, packageDir: '.', checks: [check], notes: [] },
    packageManager: { name: 'npm', installCommand: 'npm ci' },
  } as const;
  const settings = {
    ...{ plan, checks: [createCheck(check)], checkTimeoutMs: 60_000, noRegressions: false },
    cacheDir: join(root, '..', 'cache'),
  };
  const { signal } = new AbortController();
  const evaluation = await createEvaluator(settings).evaluate({ root, confirm: false, signal });
  if (evaluation.tests.some(({ status }) => status !== 'passed') || evaluation.tests.length === 0)
    throw new Error(`The tests of ${root} do not pass.`);
  return await createStrengthMeter(settings).measure({
    ...{ root, evaluation, testFiles: [], timeoutMs, signal, onProgress: () => {} },
    changes: { files: [], linesAdded: 1, linesDeleted: 1, patch },
  });
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function link(root: string, name: string): void {
  mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true });
  symlinkSync(join(MODULES, name), join(root, 'node_modules', name));
}
