import { openLoop, type LoopSession } from '../../compose/loop.ts';
import { openProject, type Project } from '../../compose/project.ts';
import { ExitCode, RalphError, usageError, type ExitCode as Code } from '../../errors.ts';
import type { DeliveryMode } from '../../ports.ts';
import type { Verdict } from '../../schema/generated.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { listenForInterrupts, type Interruption } from '../interrupt.ts';
import { configOf, type OutputOptions } from '../options.ts';
import { createOutput, type Output } from '../output.ts';
import { findTask, type TaskOptions } from '../task.ts';

export interface RunOptions extends OutputOptions, TaskOptions {
  readonly commit?: boolean;
  readonly branch?: boolean;
  readonly dryRun?: boolean;
  /** File of tasks, a loop each. */
  readonly tasks?: string;
  readonly parallel?: string;
  readonly createPr?: boolean;
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
  const task = await findTask(words, options);
  const delivery = deliveryOf(options);
  const project = await openProject({
    cwd: process.cwd(),
    flags: configOf({ ...options }),
    env: process.env,
  });
  if (options.dryRun === true) return (await import('./dry-run.ts')).printDryRun(project, task, options);
  // A missing token is told before anything is paid for.
  const bringer = options.createPr === true ? await openBringer(project) : undefined;
  await runSession(options, async (output, interruption) => {
    const session = await openLoop({
      project,
      task,
      delivery,
      loopId: newLoopId(task, new Date()),
      startedAt: new Date().toISOString(),
      resumed: false,
      emit: output.emit,
      stopRequested: interruption.stopRequested,
      signal: interruption.signal,
    });
    return bringer === undefined ? session : bringer(session, output.say);
  });
}

/** A session that ends by bringing what it verified as a pull request. */
async function openBringer(
  project: Project,
): Promise<(session: LoopSession, say: (text: string) => void) => LoopSession> {
  const { openPullRequestPublisher } = await import('../../ci/pull-request-publisher.ts');
  const bring = await openPullRequestPublisher(project, process.env);
  return (session, say) => ({
    close: () => session.close(),
    async run() {
      const result = await session.run();
      say(await bring(result.verdict));
      return result;
    },
  });
}

export function deliveryOf({
  commit,
  branch,
  createPr,
}: {
  readonly commit?: boolean;
  readonly branch?: boolean;
  readonly createPr?: boolean;
}): DeliveryMode {
  if (commit === true && createPr === true)
    throw usageError(
      '--commit and --create-pr exclude each other.',
      'A pull request is made of a branch of its own.',
    );
  if (commit === true && branch === true)
    throw usageError('--commit and --branch exclude each other.', 'Choose one.');
  if (commit === true) return 'commit';
  return branch === true || createPr === true ? 'branch' : 'tree';
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
