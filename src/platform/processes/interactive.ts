import { execa } from 'execa';

/** How an interactive program ended. */
export interface InteractiveOutcome {
  readonly failed: boolean;
  /** Such as `exit code 1` or `SIGTERM`. */
  readonly ending: string;
}

/**
 * Runs a command line of `sh`, followed by arguments, on this process's terminal, with its environment. Its stdout goes
 * to stderr if stdout is no terminal. Never rejects.
 */
export async function runInteractive(command: string, args: readonly string[]): Promise<InteractiveOutcome> {
  const stdout = process.stdout.isTTY ? 'inherit' : 2;
  const { exitCode, failed, signal } = await execa('sh', ['-c', `${command} "$@"`, 'sh', ...args], {
    stdio: ['inherit', stdout, 'inherit'],
    reject: false,
  });
  return { failed, ending: signal ?? `exit code ${exitCode}` };
}
