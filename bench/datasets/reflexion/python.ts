import { ExitCode, RalphError } from '../../../src/errors.ts';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';

const TIMEOUT_MS = 10_000;

/** An installed Python 3. */
export interface Python {
  /** Such as `3.11.7`. */
  readonly version: string;
  /** Absolute path of the interpreter, without the wrapper of a version manager. */
  readonly executable: string;
}

/** Finds the interpreter behind a program's name. Throws RalphError (exit 6) if the program is not a Python 3. */
export async function findPython(python: string, signal: AbortSignal): Promise<Python> {
  const args = ['-c', 'import sys; print(sys.version.split()[0]); print(sys.executable)'];
  const env = childEnvironment();
  const outcome = await runProcess({
    file: python,
    args,
    cwd: process.cwd(),
    env,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  const [version = '', executable = ''] = outcome.stdout.split('\n');
  if (outcome.exitCode === 0 && /^3\.\d+/.test(version) && executable !== '') return { version, executable };
  throw new RalphError(`--python ${python}: it is not a Python 3 that runs.`, {
    code: 'check_unrunnable',
    exitCode: ExitCode.check,
    hint: 'Install Python 3, or name its program with --python.',
  });
}
