/** The built program, run as a user runs it: a real process in a real repository. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, type Subprocess } from 'execa';
import type { Verdict } from '../../src/schema/generated.ts';
import { SANDBOX_ENVIRONMENT } from './bubblewrap.ts';

/** The entry of the built program. */
export const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The running process. */
export type RunningRalph = Pick<Subprocess, 'pid' | 'kill'>;

export interface RalphOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Calls `act` as soon as the output contains `text`; one entry after another, and each must be reached. */
  readonly when?: readonly (readonly [text: string, act: (child: RunningRalph) => void])[];
}

/** Runs `ralph ARGS` in a folder to its end. */
export async function ralph(
  cwd: string,
  args: readonly string[],
  options: RalphOptions = {},
): Promise<Finished> {
  if (!existsSync(join(PROGRAM, '..', '..', 'dist', 'cli', 'main.cjs')))
    throw new Error('Build first: npm run build');
  const env = {
    CI: undefined,
    RALPH_PROCESS_TAG: undefined,
    // Shared by all tests, also by those with a home folder of their own.
    XDG_CACHE_HOME: join(tmpdir(), 'caches'),
    // Holds which repositories are trusted; the user's own is left alone.
    XDG_STATE_HOME: join(tmpdir(), 'state'),
    ...SANDBOX_ENVIRONMENT,
    ...options.env,
  };
  const child = execa(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    input: options.input ?? '',
    stripFinalNewline: false,
    forceKillAfterDelay: false,
    reject: false,
  });
  let output = '';
  const waiting = [...(options.when ?? [])];
  const notice = (text: string): void => {
    output += text;
    for (let next = waiting[0]; next !== undefined && output.includes(next[0]); next = waiting[0]) {
      waiting.shift();
      next[1](child);
    }
  };
  child.stdout.on('data', (bytes: Buffer) => notice(bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => notice(bytes.toString()));
  const result = await child;
  if (result.code !== undefined) throw result;
  if (waiting[0] !== undefined)
    throw new Error(`Never in the output: ${waiting[0][0]}\n${output.slice(-2000)}`);
  return { exitCode: result.exitCode ?? null, stdout: result.stdout, stderr: result.stderr };
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
