/** Temporary repositories for the search actor, with the product's own checks on them. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '../../src/repair/syntax/edit.ts';
import type { TrialTarget } from '../../src/repair/trial/instrumented-run.ts';
import { createCheck } from '../../src/tools.ts';
import { createBench } from '../../src/checks/bench.ts';
import { createEvaluator } from '../../src/proof/evaluator.ts';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import type { CheckPlan } from '../../src/ports/plan.ts';
import type { Reflection, Trajectory } from '../../src/schema/generated.ts';
import { planFor } from './checks.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from './repositories.ts';

export type RepairTool = 'node' | 'vitest' | 'mocha' | 'jest' | 'ava';

const MODULES = ['ava', 'vitest', 'mocha', 'jest', '@jest/globals', 'typescript', 'eslint'];

/** Opening lines of a test file: `assert`, `test`, `describe` and the hooks, whatever the runner. */
export const TEST_HEAD: Readonly<Record<RepairTool, string>> = {
  node: headWith("import { afterEach, beforeEach, describe, test } from 'node:test';"),
  vitest: headWith("import { afterEach, beforeEach, describe, test } from 'vitest';"),
  mocha: headWith("import { afterEach, beforeEach, describe, it as test } from 'mocha';"),
  ava: headWith("import test from 'ava';"),
  jest: headWith("const { afterEach, beforeEach, describe, test } = require('@jest/globals');").replace(
    /import assert from '(.*)'/,
    "const assert = require('$1')",
  ),
};

/** A repository of ES modules, or of CommonJS ones; returns its absolute path. It goes with the test file. */
export function createRepo(files: Files, type: 'module' | 'commonjs' = 'module'): string {
  const root = temporaryFolder();
  writeFiles(root, { 'package.json': { name: 'subject', type }, ...files });
  linkModules(root, MODULES);
  return root;
}

/** Every file of a repository with its text, for telling whether anything changed. */
export function textsOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('node_modules'))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

export interface ContextOptions {
  readonly checks: readonly CheckPlan[];
  /** Default 60,000. */
  readonly checkTimeoutMs?: number;
  readonly reflections?: readonly Reflection[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** The context of an attempt on a repository, with what its checks really say now. */
export async function contextFor(root: string, options: ContextOptions): Promise<AttemptContext> {
  const project = {
    repository: root,
    packageDir: '.',
    packageManager: { name: 'npm', installCommand: 'npm ci' },
    checks: options.checks,
    notes: [],
  } as const;
  const suite = {
    plan: project,
    checks: options.checks.map(createCheck),
    cacheDir: temporaryFolder(),
    checkTimeoutMs: options.checkTimeoutMs ?? 60_000,
    noRegressions: false,
  };
  const evaluation = await createEvaluator(suite).evaluate({
    root,
    confirm: false,
    signal: new AbortController().signal,
  });
  return {
    loopId: 'ralph-test',
    iteration: 1,
    task: 'make the tests pass',
    root,
    project,
    guidance: '',
    evaluation,
    reflections: options.reflections ?? [],
    bench: createBench({ ...suite, root }),
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => {}),
    onWork: () => {},
  };
}

/** The only check of a repository that is judged by its tests alone. */
export function testsBy(tool: RepairTool): CheckPlan[] {
  return [planFor(tool, { name: 'tests', ...(tool === 'mocha' ? { args: ['test/**/*.test.js'] } : {}) })];
}

/** The ground that trials of `test/subject.test.js` stand on. */
export async function groundOf(root: string, tool: RepairTool): Promise<TrialTarget> {
  const context = await contextFor(root, { checks: testsBy(tool) });
  return { context, check: context.project.checks[0]!, testFile: 'test/subject.test.js' };
}

/** Edits of the first place in `src/subject.js` that has the text. */
export function replacing(root: string, before: string, ...afters: string[]): Candidate[] {
  const text = readFileSync(join(root, 'src/subject.js'), 'utf8');
  const start = text.indexOf(before);
  return afters.map((replacement) => ({
    edits: [{ file: 'src/subject.js', start, end: start + before.length, replacement }],
    operator: 'test',
    line: text.slice(0, start).split('\n').length,
    signature: `src/subject.js: ${before} → ${replacement}`,
    prior: 1,
  }));
}

/** What the next attempt is told of this one. */
export function reflectionOf(trajectory: Trajectory, isImprovement: boolean): Reflection {
  const { actions, rationale, strategy, ruled_out } = trajectory;
  const told = {
    actor_output: { actions, rationale, strategy, ruled_out },
    performance_delta: { reward_change: 0, error_count_change: 0, is_improvement: isImprovement },
  };
  return told as unknown as Reflection;
}

function headWith(runner: string): string {
  return `import assert from 'node:assert/strict';\n${runner}\n`;
}
