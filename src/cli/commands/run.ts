import { openLoop, type LoopSession } from '../../compose/loop.ts';
import { openProject } from '../../compose/project.ts';
import { ExitCode, RalphError, usageError, type ExitCode as Code } from '../../errors.ts';
import type { DeliveryMode } from '../../ports.ts';
import type { Verdict } from '../../schema/generated.ts';
import { newLoopId } from '../../util/loop-id.ts';
import { listenForInterrupts, type Interruption } from '../interrupt.ts';
import { configOf, type OutputOptions } from '../options.ts';
import { createOutput, type Output } from '../output.ts';
import { taskOf, type TaskOptions } from '../task.ts';

export interface RunOptions extends OutputOptions, TaskOptions {
  readonly commit?: boolean;
  readonly branch?: boolean;
  readonly dryRun?: boolean;
  /** File of tasks, a loop each. */
  readonly tasks?: string;
  readonly parallel?: string;
}

/** `ralph run`. */
export async function runCommand(words: readonly string[], options: RunOptions): Promise<void> {
  if (options.tasks !== undefined)
    return (await import('./tasks.ts')).runTaskFile(words, options, options.tasks);
  if (options.parallel !== undefined)
    throw usageError(
      '--parallel needs --tasks.',
      'One task is one loop: ralph run --tasks tasks.md --parallel 2',
    );
  const task = taskOf(words, options);
  const delivery = deliveryOf(options);
  const project = await openProject({
    cwd: process.cwd(),
    flags: configOf({ ...options }),
    env: process.env,
  });
  if (options.dryRun === true) return (await import('./dry-run.ts')).printDryRun(project, task, options);
  await runSession(options, (output, interruption) =>
    openLoop({
      project,
      task,
      delivery,
      loopId: newLoopId(task, new Date()),
      startedAt: new Date().toISOString(),
      resumed: false,
      emit: output.emit,
      stopRequested: interruption.stopRequested,
      signal: interruption.signal,
    }),
  );
}

export function deliveryOf({
  commit,
  branch,
}: {
  readonly commit?: boolean;
  readonly branch?: boolean;
}): DeliveryMode {
  if (commit === true && branch === true)
    throw usageError('--commit and --branch exclude each other.', 'Choose one.');
  if (commit === true) return 'commit';
  return branch === true ? 'branch' : 'tree';
}

/** Opens a loop, runs it to its verdict, and sets the exit code; interrupts are heard from the first moment. */
export async function runSession(
  options: OutputOptions,
  open: (output: Output, interruption: Interruption) => Promise<LoopSession>,
): Promise<void> {
  const output = await createOutput(options);
  const interruption = listenForInterrupts((text) => {
    output.say(text);
    output.emit({ type: 'stop_requested' });
  });
  try {
    const session = await open(output, interruption);
    try {
      const { verdict, conflict } = await session.run();
      process.exitCode = conflict ? ExitCode.workspace : exitCodeOf(verdict, interruption);
    } finally {
      await session.close();
    }
  } catch (error) {
    throw interrupted(error, interruption);
  } finally {
    interruption.close();
    output.close();
  }
}

/** The verdict's exit code, 0 verified, 1 unverified, 3 budget, 130 or 143 interrupted. */
function exitCodeOf({ status, verified }: Verdict, interruption: Interruption): Code {
  if (verified) return ExitCode.verified;
  if (status === 'budget') return ExitCode.budget;
  return status === 'aborted' ? interruption.exitCode() : ExitCode.unverified;
}

function interrupted(error: unknown, interruption: Interruption): unknown {
  if (!(error instanceof RalphError) || error.code !== 'aborted') return error;
  const { code, hint, message } = error;
  return new RalphError(message, { code, hint, exitCode: interruption.exitCode(), cause: error });
}
