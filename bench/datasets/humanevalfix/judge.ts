import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import type { Problem } from './problems.ts';
import { linkRequiredPackages } from './required-packages.ts';

/** Whether a program passes tests that it was not made for; `why` says what it failed. */
export type Judgement = { readonly passed: true } | { readonly passed: false; readonly why: string };

const TIME_LIMIT_MS = 20_000;

/** `console.assert` only prints; here it ends the program. */
const STRICT_ASSERT =
  "console.assert = (value, ...said) => { if (!value) throw new Error(['Assertion failed', ...said].join(' ')); };";

/** Runs the problem's full tests, then its example tests, on a program, each plainly in a fresh process and folder. */
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
 * Runs a program with its tests behind it as one script, as the authors of the problems do. Undefined when every
 * assertion held and the script came to its end; otherwise one line about what happened.
 */
export async function runPlainly(
  program: string,
  tests: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-judge-'));
  try {
    const file = join(folder, 'judged.cjs');
    // A program that leaves early has not come to the last line.
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
    await rm(folder, { recursive: true, force: true });
  }
}
