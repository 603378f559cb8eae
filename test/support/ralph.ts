/** The built program, run as a user runs it: a real process in a real repository. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../../src/schema/generated.ts';
import { hasBubblewrap } from './bubblewrap.ts';

/** A model's commands are refused where there is no sandbox. */
const WITHOUT_ENGINE = hasBubblewrap ? {} : { RALPH_SANDBOX: 'off' };
const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RalphOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called as soon as output has come that holds this text. */
  readonly when?: readonly (readonly [text: string, act: (child: ChildProcess) => void])[];
}

/** Runs `ralph ARGS` in a folder to its end. */
export function ralph(cwd: string, args: readonly string[], options: RalphOptions = {}): Promise<Finished> {
  if (!existsSync(join(PROGRAM, '..', '..', 'dist', 'cli', 'main.js')))
    throw new Error('Build first: npm run build');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CI: undefined,
    RALPH_PROCESS_TAG: undefined,
    ...WITHOUT_ENGINE,
  };
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { ...env, ...options.env },
    stdio: 'pipe',
  });
  child.stdin.end(options.input ?? '');
  let stdout = '';
  let stderr = '';
  const waiting = [...(options.when ?? [])];
  const notice = (): void => {
    const next = waiting[0];
    if (next === undefined || !(stdout + stderr).includes(next[0])) return;
    waiting.shift();
    next[1](child);
    notice();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    notice();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    notice();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** `ralph run --format json ARGS`, with its verdict. */
export async function ralphRun(
  cwd: string,
  args: readonly string[],
  options?: RalphOptions,
): Promise<Finished & { verdict: Verdict }> {
  const finished = await ralph(cwd, ['run', '--format', 'json', ...args], options);
  return { ...finished, verdict: JSON.parse(finished.stdout) as Verdict };
}
