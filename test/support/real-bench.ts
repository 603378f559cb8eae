import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Bench, CheckReport, Narrowing } from '../../src/ports.ts';
import type { Diagnostic, TestCase } from '../../src/schema/generated.ts';

export type BenchTool = 'node' | 'vitest' | 'mocha' | 'jest';

interface Seen {
  readonly file: string;
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
}

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/** Runs real test runners in a temporary repository; what the product's own checks do, without their care. */
export function createRealBench(root: string, tool: BenchTool): Bench & { runs: Narrowing[] } {
  const runs: Narrowing[] = [];
  return {
    runs,
    async run(name, narrowing) {
      runs.push(narrowing);
      const out = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
      const report = join(out, 'report.json');
      const [args, env] = commandOf(tool, report, narrowing.files ?? []);
      await runNode(root, { args, env, narrowing });
      const seen = readSeen(tool, realpathSync(root), report);
      rmSync(out, { recursive: true });
      return toReport(name, tool, seen);
    },
  };
}

function commandOf(
  tool: BenchTool,
  report: string,
  files: readonly string[],
): [string[], Record<string, string>] {
  switch (tool) {
    case 'node':
      return [
        [join(import.meta.dirname, 'node-test-report.ts'), report, ...(files.length > 0 ? files : ['test/'])],
        {},
      ];
    case 'vitest':
      return [
        [join(MODULES, 'vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`, ...files],
        {},
      ];
    case 'mocha':
      return [
        [
          join(MODULES, 'mocha/bin/mocha.js'),
          '--reporter=json',
          '--reporter-option',
          `output=${report}`,
          ...files,
        ],
        {},
      ];
    case 'jest':
      return [
        [join(MODULES, 'jest/bin/jest.js'), '--json', `--outputFile=${report}`, ...files],
        { NODE_OPTIONS: '--experimental-vm-modules' },
      ];
  }
}

function runNode(
  root: string,
  { args, env, narrowing }: { args: string[]; env: Record<string, string>; narrowing: Narrowing },
): Promise<void> {
  const kept = Object.entries(process.env).filter(([key]) => !/^(NODE_|VITEST|TEST$|JEST)/.test(key));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...Object.fromEntries(kept), ...env },
      detached: true,
      stdio: process.env['BENCH_DEBUG'] ? 'inherit' : 'ignore',
    });
    const kill = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // Gone already.
      }
    };
    const timer = setTimeout(kill, narrowing.timeoutMs ?? 60_000);
    narrowing.signal.addEventListener('abort', kill, { once: true });
    child.on('exit', () => {
      clearTimeout(timer);
      kill();
      resolve();
    });
  });
}

function readSeen(tool: BenchTool, root: string, report: string): Seen[] {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return [];
  }
  const seen = tool === 'node' ? (data as Seen[]) : tool === 'mocha' ? fromMocha(data) : fromJest(data);
  return seen.map((test) => ({ ...test, file: relative(root, test.file) }));
}

function fromJest(data: unknown): Seen[] {
  const { testResults } = data as {
    testResults: {
      name: string;
      assertionResults: {
        ancestorTitles: string[];
        title: string;
        status: string;
        failureMessages: string[];
      }[];
    }[];
  };
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      file,
      name: [...ancestorTitles, title].join(' > '),
      passed: status === 'passed',
      message: failureMessages.join('\n'),
    })),
  );
}

function fromMocha(data: unknown): Seen[] {
  const { tests } = data as { tests: { file: string; fullTitle: string; err: { message?: string } }[] };
  return tests.map(({ file, fullTitle: name, err }) => ({
    file,
    name,
    passed: Object.keys(err).length === 0,
    message: err.message ?? '',
  }));
}

function toReport(name: string, tool: string, seen: readonly Seen[]): CheckReport {
  const tests = seen.map(({ file, name: test, passed }): TestCase => ({
    id: `${file} > ${test}`,
    name: test,
    file,
    status: passed ? 'passed' : 'failed',
  }));
  const failed = seen.filter(({ passed }) => !passed);
  return {
    name,
    kind: 'tests',
    tool,
    status: seen.length > 0 && failed.length === 0 ? 'pass' : 'fail',
    passed: seen.length - failed.length,
    failed: failed.length,
    skipped: 0,
    total: seen.length,
    errors: failed.length,
    warnings: 0,
    duration_ms: 0,
    exit_code: failed.length === 0 ? 0 : 1,
    detail: '',
    command: `${tool} test`,
    output: '',
    tests,
    diagnostics: failed.map((test) => toDiagnostic(name, test)),
  };
}

function toDiagnostic(check: string, { file, name, message }: Seen): Diagnostic {
  const id = `${file} > ${name}`;
  return {
    type: 'test_failure',
    message,
    severity: 'error',
    check,
    fingerprint: id,
    file,
    rule: name,
    test_id: id,
    frames: framesOf(message),
  };
}

function framesOf(message: string): { file: string; line: number }[] {
  return [...message.matchAll(/\bsrc\/[\w./-]+\.[jt]s:(\d+)/g)].map(([text, line]) => ({
    file: text.slice(0, text.lastIndexOf(':')),
    line: Number(line),
  }));
}
