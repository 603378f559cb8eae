import { openLoop, type LoopSession } from '../../compose/loop.ts';
import { openProject, type Project } from '../../compose/project.ts';
import { usageError } from '../../errors.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { configOf } from '../options.ts';
import { deliveryOf, type RunOptions } from '../run-options.ts';
import { runSession } from '../run-session.ts';
import { findTask } from '../task.ts';

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
