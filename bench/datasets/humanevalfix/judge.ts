import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import type { Problem } from './problems.ts';
import { linkRequiredPackages } from './required-packages.ts';

/** Whether a program passes the problem's own tests; `why` names the tests that it fails, and how. */
export type Judgement = { readonly passed: true } | { readonly passed: false; readonly why: string };

const TIME_LIMIT_MS = 20_000;

/** Makes `console.assert` throw; by default it only prints. */
const STRICT_ASSERT =
  "console.assert = (value, ...words) => { if (!value) throw new Error(['Assertion failed', ...words].join(' ')); };";

/** Runs the problem's full tests, then its example tests, on a program, each in a new process and folder. */
export async function judge(problem: Problem, program: string, signal: AbortSignal): Promise<Judgement> {
  const texts = [
    ['full', problem.test],
    ['example', problem.exampleTest],
  ] as const;
  for (const [kind, tests] of texts) {
    if (tests.trim() === '') continue;
    const why = await runPlainly(program, tests, signal);
    if (why !== undefined) return { passed: false, why: `${kind} tests: ${why}` };
  }
  return { passed: true };
}

/**
 * Runs a program followed by its tests as one script, as the authors of the problems do. Undefined if every assertion
 * held and the script ran to its end; otherwise one line with the reason.
 */
export async function runPlainly(
  program: string,
  tests: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = makeTemporaryFolder('judge');
  try {
    const file = join(folder, 'judged.cjs');
    // Printed by the script's last line: a program that exits early does not reach it.
    const last = randomUUID();
    const script = [STRICT_ASSERT, program, tests, `process.stdout.write(${JSON.stringify(last)});`];
    await writeFile(file, `${script.join('\n')}\n`);
    await linkRequiredPackages(folder, program);
    const { exitCode, stdout, stderr, timedOut, aborted } = await runProcess({
      file: process.execPath,
      args: [file],
      cwd: folder,
      env: childEnvironment(),
      timeoutMs: TIME_LIMIT_MS,
      signal,
    });
    if (aborted) return 'stopped';
    if (timedOut) return `no end within ${TIME_LIMIT_MS / 1000} s`;
    if (exitCode === 0 && stdout.endsWith(last)) return undefined;
    return /^\w*Error: .*$/m.exec(stderr)?.[0] ?? `ended early with exit code ${exitCode ?? 'none'}`;
  } finally {
    removeTemporaryFolder(folder);
  }
}
