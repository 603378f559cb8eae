import { join } from 'node:path';
import { boundText } from '../../platform/text/bounded-text.ts';
import { runProcess, type ProcessOutcome } from '../../platform/processes/process.ts';
import { CommandOutput } from './command-output.ts';
import { relativizePaths } from './relativize-paths.ts';
import { runsTests } from './test-command.ts';
import type { ToolRun } from './tool.ts';

export interface BashInput {
  readonly command: string;
  /** In seconds. */
  readonly timeout?: number;
}

const MAX_TIMEOUT_MS = 10 * 60_000;
const MAX_COMMAND_CHARS = 7900;
/** CommandOutput collects the output; the copy that runProcess keeps is not used. */
const KEPT_APART_BYTES = 100;

/**
 * The `bash` tool: runs a command line with sh in the package folder, without input. A failed command is a result, not
 * an error. Every process that it started ends with it.
 */
export const bash: ToolRun<BashInput> = async ({ command, timeout }, context, signal) => {
  if (command.trim() === '') throw new Error('command is empty; give a command line.');
  if (command.includes('\0')) throw new Error('command has a NUL character; leave it out.');
  const timeoutMs =
    timeout === undefined || timeout <= 0 ? context.bashTimeoutMs : Math.min(timeout * 1000, MAX_TIMEOUT_MS);
  const output = new CommandOutput(context.root);
  const outcome = await runProcess({
    // One stream, so that lines keep the order in which they were written.
    shell: `exec 2>&1; ${command}`,
    cwd: join(context.root, context.cwd),
    env: context.env(),
    sandbox: context.sandbox,
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
      command: boundText(relativizePaths(command, context.root), MAX_COMMAND_CHARS),
    },
  };
};

function endingOf(
  { exitCode, signal, timedOut, aborted, failure, limit }: ProcessOutcome,
  timeoutMs: number,
): string {
  if (failure !== undefined) return 'sh could not be started in the package folder';
  if (aborted) return 'stopped: the attempt is over';
  if (timedOut) return `stopped after ${timeoutMs / 1000} s; run less, or set a longer timeout`;
  if (limit !== undefined) return `stopped: ${limit.replace(/ \(--limits.*/, '')}`;
  return exitCode === null ? `killed by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
}
