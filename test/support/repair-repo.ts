import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AttemptContext, CheckPlan, CheckReport } from '../../src/ports.ts';
import type { Evaluation, Reflection } from '../../src/schema/generated.ts';
import { createRealBench, type BenchTool } from './real-bench.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/** A repository in a temporary folder, with this project's installed tools; returns its real absolute path. */
export function createRepo(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-repair-')));
  for (const [file, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  symlinkSync(MODULES, join(root, 'node_modules'));
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

export interface AttemptOptions {
  readonly tool: BenchTool;
  readonly iteration?: number;
  readonly reflections?: readonly Reflection[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

/** The context of one attempt on a repository, with what its tests really say now. */
export async function contextFor(root: string, options: AttemptOptions): Promise<AttemptContext> {
  const bench = createRealBench(root, options.tool);
  const report = await bench.run('tests', { signal: AbortSignal.timeout(60_000) });
  return {
    loopId: 'ralph-test',
    iteration: options.iteration ?? 1,
    task: 'make the tests pass',
    root,
    project: {
      repository: root,
      packageDir: '.',
      packageManager: { name: 'npm', installCommand: 'npm ci' },
      checks: [planOf(options.tool)],
      notes: [],
    },
    guidance: '',
    evaluation: evaluationOf(report),
    reflections: options.reflections ?? [],
    bench,
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => {}),
  };
}

function planOf(tool: BenchTool): CheckPlan {
  return {
    name: 'tests',
    kind: 'tests',
    tool,
    cwd: '.',
    args: [],
    setup: [],
    weight: 0.5,
    source: 'package.json#scripts.test',
  };
}

function evaluationOf({ tests, diagnostics, ...check }: CheckReport): Evaluation {
  return {
    passed: check.status === 'pass',
    reward: check.total === 0 ? 0 : check.passed / check.total,
    verification_type: 'unit_tests',
    checks: [{ ...check, weight: 1, score: check.total === 0 ? 0 : check.passed / check.total }],
    diagnostics,
    delta: { fixed: [], same: [], new: diagnostics.map(({ fingerprint }) => fingerprint) },
    metrics: {
      tests_passed: check.passed,
      tests_failed: check.failed,
      tests_total: check.total,
      type_errors: 0,
      lint_errors: 0,
      lint_warnings: 0,
    },
    tests,
    missing_tests: [],
    duration_ms: 0,
  };
}
