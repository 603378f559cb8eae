import { join } from 'node:path';
import { boundText } from '../../platform/text/bounded-text.ts';
import { runProcess, type ProcessOutcome } from '../../platform/processes/process.ts';
import { CommandOutput } from './command-output.ts';
import { hideRoot } from './hide-root.ts';
import { runsTests } from './test-command.ts';
import type { ToolRun } from './tool.ts';

export interface BashInput {
  readonly command: string;
  /** Seconds. */
  readonly timeout?: number;
}

const MAX_TIMEOUT_MS = 10 * 60_000;
const MAX_COMMAND_CHARS = 7900;
/** The output is collected while it comes; what the process keeps beside that is not used. */
const KEPT_APART_BYTES = 100;

/**
 * Runs a command line with sh in the package folder, without input. How it ends is part of the result, never an
 * error; with it every process that it started ends.
 */
export const bash: ToolRun<BashInput> = async ({ command, timeout }, setting, signal) => {
  if (command.trim() === '') throw new Error('command is empty; give a command line.');
  if (command.includes('\0')) throw new Error('command has a NUL character; leave it out.');
  const timeoutMs =
    timeout === undefined || timeout <= 0 ? setting.bashTimeoutMs : Math.min(timeout * 1000, MAX_TIMEOUT_MS);
  const output = new CommandOutput(setting.root);
  const outcome = await runProcess({
    // Both streams in one, so that lines stand in the order in which they were written.
    shell: `exec 2>&1; ${command}`,
    cwd: join(setting.root, setting.cwd),
    env: setting.env(),
    sandbox: setting.sandbox,
    timeoutMs,
    signal,
    keepBytes: KEPT_APART_BYTES,
    onOutput: (text) => output.append(text),
  });
  const ending = endingOf(outcome, timeoutMs);
  const shown = output.toString();
  return {
    text: `${shown}${shown === '' ? '' : '\n'}[${ending}]`,
    action: {
      type: runsTests(command) ? 'test_execution' : 'command_execution',
      description: `Ran a command: ${ending}.`,
      command: boundText(hideRoot(command, setting.root), MAX_COMMAND_CHARS),
    },
  };
};

function endingOf(
  { exitCode, signal, timedOut, aborted, failure }: ProcessOutcome,
  timeoutMs: number,
): string {
  if (failure !== undefined) return 'sh could not be started in the package folder';
  if (aborted) return 'stopped: the attempt is over';
  if (timedOut) return `stopped after ${timeoutMs / 1000} s; run less, or give a longer timeout`;
  return exitCode === null ? `killed by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
}
