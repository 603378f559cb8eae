import { applyBest } from '../../compose/loop/deliver.ts';
import type { Project } from '../../compose/project.ts';
import { openPullRequestPublisher } from '../../ci/pull-request-publisher.ts';
import { findToken } from '../../ci/remote.ts';
import { git, runGit } from '../../platform/git/git.ts';
import { openRemoteDesk, pushNewBranch, type RemoteAccess } from '../../platform/git/remote.ts';
import type { Verdict } from '../../schema/generated.ts';
import { readState } from '../../state/loops.ts';
import type { JobDelivery } from '../queue/job-request.ts';
import type { Delivered } from '../queue/settle.ts';

export interface DeliverRequest {
  readonly project: Project;
  readonly loopId: string;
  readonly verdict: Verdict;
  readonly how: JobDelivery;
  readonly access: RemoteAccess;
  /** Throws if another machine has the job by now. */
  readonly requireHold: () => Promise<void>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A delivered result, with the bundle if it goes to the database. */
export interface DeliveredResult {
  readonly delivered: Delivered;
  readonly bundle?: Buffer;
}

/**
 * Delivers a verified result as the job asks, and an unproven one as a bundle; undefined if there is nothing to deliver.
 * The branch has the name of the loop, which no other job has, and must be new: of two machines that push it, one succeeds.
 * If it is there already, an earlier machine of this job has delivered it.
 */
export async function deliverResult(request: DeliverRequest): Promise<DeliveredResult | undefined> {
  const { project, loopId, verdict, how, access, requireHold } = request;
  const { root, head } = project.repository;
  if (!verdict.verified && verdict.status !== 'unproven') return undefined;
  const branch = await resultBranch(root, loopId);
  if (branch === undefined) return undefined;
  const commit = (await git(['rev-parse', `refs/heads/${branch}`], { cwd: root })).toString('latin1').trim();
  if (how === 'bundle' || !verdict.verified) {
    const bundle = await git(['bundle', 'create', '--quiet', '-', `${head}..refs/heads/${branch}`], {
      cwd: root,
    });
    const message = `The result is a git bundle of ${bundle.length} bytes in the database.`;
    return { delivered: { how: 'bundle', branch, commit, message }, bundle };
  }
  await requireHold();
  const isPushed = await pushNewBranch(root, branch, access);
  const there = isPushed ? commit : await tipOf(branch, access);
  const pushed = isPushed
    ? `Pushed the branch ${branch}.`
    : `The branch ${branch} was there: an earlier machine pushed it.`;
  if (how === 'branch') return { delivered: { how, branch, commit: there, message: pushed } };
  await requireHold();
  const publish = await openPullRequestPublisher(project, environmentOf(request.env), access.url);
  return { delivered: { how, branch, commit: there, message: await publish({ ...verdict, branch }) } };
}

/** Without what names the repository and the run that the worker was started in. */
function environmentOf(env: DeliverRequest['env']): DeliverRequest['env'] {
  const {
    GITHUB_REPOSITORY: _repository,
    GITHUB_RUN_ID: _run,
    GITHUB_WORKFLOW_REF: _workflow,
    ...rest
  } = env;
  return { ...rest, GITHUB_TOKEN: findToken(env) };
}

/** The branch with the loop's result, which is made if another machine ran the loop's end; undefined without a change. */
async function resultBranch(root: string, loopId: string): Promise<string | undefined> {
  const branch = `ralph/${loopId}`;
  const found = await runGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], { cwd: root });
  if (found.exitCode === 0) return branch;
  const state = await readState(root, loopId);
  if (state?.best_tree === undefined || state.best_tree === state.base_tree) return undefined;
  return (await applyBest(root, state, 'branch')).branch;
}

async function tipOf(branch: string, access: RemoteAccess): Promise<string> {
  const desk = await openRemoteDesk(access);
  try {
    return (await desk.tipOf(branch)) ?? '';
  } finally {
    desk.close();
  }
}
