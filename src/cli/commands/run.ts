import { ACTORS } from '../../actors.ts';
import { confirmTrust } from '../confirm-trust.ts';
import { openLoop, type LoopSession } from '../../compose/loop/loop.ts';
import { openProject, type Project } from '../../compose/project.ts';
import type { TaskProof } from '../../compose/loop/task-proof.ts';
import { usageError } from '../../errors.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { printWarning } from '../messages.ts';
import { createReview, refuseUnreviewable } from '../review.ts';
import { settingsFromOptions } from '../options.ts';
import { chooseDelivery, type RunOptions } from '../run-options.ts';
import { runSession } from '../run-session.ts';
import { readTask } from '../task.ts';

/** `ralph run`. */
export async function runCommand(words: readonly string[], given: RunOptions): Promise<void> {
  const options = given.requireChange === true ? renamed(given) : given;
  if (given.selfTests === true)
    printWarning(
      '--self-tests has no effect any more: a model writes acceptance tests for a task by default. For your own tests: --accept-tests FILE',
    );
  if (options.tasks !== undefined && options.review === true)
    throw usageError(
      '--review does not work with --tasks.',
      'Run the task that you want to review by itself.',
    );
  if (options.tasks !== undefined)
    return (await import('./run-tasks.ts')).runTaskFile(words, options, options.tasks);
  if (options.parallel !== undefined)
    throw usageError(
      '--parallel needs --tasks.',
      'A single task runs in one loop. For a list: ralph run --tasks tasks.md --parallel 2',
    );
  if (options.review === true) refuseUnreviewable();
  const { text: task, proof } = await readTask(words, options);
  const delivery = chooseDelivery(options);
  const project = await openProject({
    cwd: process.cwd(),
    flags: settingsFromOptions({ ...options }),
    env: process.env,
    confirm: confirmTrust(),
  });
  if (options.review === true) refuseUnwritten(project, proof);
  if (options.dryRun === true) return (await import('./run-dry.ts')).printDryRun(project, task, options);
  // Before the loop starts, so that a missing token is reported before any cost arises.
  const withPullRequest = options.createPr === true ? await preparePullRequest(project) : undefined;
  await runSession(options, async (output, interruption) => {
    const session = await openLoop({
      project,
      task,
      proof,
      delivery,
      loopId: newLoopId(task, new Date()),
      startedAt: new Date().toISOString(),
      resumed: false,
      review: options.review === true ? createReview(output) : undefined,
      emit: output.emit,
      stopRequested: interruption.stopRequested,
      stop: interruption.stop,
      signal: interruption.signal,
    });
    return withPullRequest === undefined ? session : withPullRequest(session, output.say);
  });
}

/** Throws a usage RalphError if nobody would write acceptance tests, so that there is nothing to review. */
function refuseUnwritten({ settings }: Project, { hasTask }: TaskProof): void {
  const { acceptanceModel, acceptanceTests, actor } = settings;
  const isWritten = acceptanceModel !== undefined || ['model', 'agent'].includes(ACTORS[actor].asks);
  if (hasTask && acceptanceTests && isWritten) return;
  throw usageError(
    '--review has nothing to show: no acceptance tests are written.',
    'They are written for a task by a model or an agent: ralph run "task" --model provider/model, --agent NAME, or --acceptance-model provider/model.',
  );
}

function renamed(options: RunOptions): RunOptions & { readonly applyUnproven: true } {
  printWarning('--require-change is the older name of --apply-unproven; a task needs no flag any more.');
  return { ...options, applyUnproven: true };
}

/** A decorator of a session that opens a pull request with the verified result. Throws RalphError without remote or token. */
async function preparePullRequest(
  project: Project,
): Promise<(session: LoopSession, say: (text: string) => void) => LoopSession> {
  const { openPullRequestPublisher } = await import('../../ci/pull-request-publisher.ts');
  const publish = await openPullRequestPublisher(project, process.env);
  return (session, say) => ({
    close: () => session.close(),
    async run() {
      const result = await session.run();
      say(await publish(result.verdict));
      return result;
    },
  });
}
