import { execa } from 'execa';
import { messageOf } from '../../errors.ts';
import type { StartFailure } from './start-program.ts';

export interface DetachedProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of a file that both outputs are appended to. */
  readonly log: string;
}

/** Starts a program that goes on when this process ends; returns its process id. Never throws. */
export function startDetached({ file, args, cwd, env, log }: DetachedProgram): number | StartFailure {
  try {
    // The shell opens the log and becomes the program, so that its process id is the program's.
    const child = execa(
      '/bin/sh',
      ['-c', 'log=$1; shift; exec "$@" >> "$log" 2>&1', 'sh', log, file, ...args],
      {
        cwd,
        env,
        extendEnv: false,
        detached: true,
        cleanup: false,
        reject: false,
        stdio: 'ignore',
      },
    );
    child.nodeChildProcess.unref();
    return child.pid ?? { failure: 'it could not be started' };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
