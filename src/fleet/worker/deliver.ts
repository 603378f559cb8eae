import { applyBest } from '../../compose/loop/deliver.ts';
import type { Project } from '../../compose/project.ts';
import { preparePullRequests } from '../../ci/pull-request-publisher.ts';
import { RalphError } from '../../errors.ts';
import { git, runGit } from '../../platform/git/git.ts';
import { openRemoteDesk, pushNewBranch, type RemoteAccess } from '../../platform/git/remote.ts';
import type { Verdict } from '../../schema/generated.ts';
import { readState } from '../../state/loops.ts';
import type { JobDelivery } from '../queue/job-request.ts';
import type { Delivered } from '../queue/settle.ts';
import { gitHubToken } from './access.ts';

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

/** A verified result that is not delivered yet: another machine, or a retry of the job, has only this left to do. */
export class DeliveryFailed extends RalphError {
  constructor(cause: RalphError, left: string) {
    const { message, code, exitCode, hint } = cause;
    const rest = `${left} ralph queue retry JOB does that, without another loop.`;
    super(message, { code, exitCode, hint: hint === undefined ? rest : `${hint} ${rest}`, cause });
    this.name = 'DeliveryFailed';
  }
}

/** A delivered result, with the bundle if it goes to the database. */
export interface DeliveredResult {
  readonly delivered: Delivered;
  readonly bundle?: Buffer;
}

/**
 * Delivers a verified result as the job asks, and an unproven one as a bundle; undefined if there is nothing to deliver.
 * The branch has the name of the loop, which no other job has, and must be new: of two machines that push it, one succeeds.
 * If it is there already with the same change, an earlier machine of this job has pushed it. Throws DeliveryFailed.
 */
export async function deliverResult(request: DeliverRequest): Promise<DeliveredResult | undefined> {
  const { project, loopId, verdict, how, access, requireHold } = request;
  const { root } = project.repository;
  if (!verdict.verified && verdict.status !== 'unproven') return undefined;
  const branch = await resultBranch(root, loopId);
  if (branch === undefined) return undefined;
  const commit = (await git(['rev-parse', `refs/heads/${branch}`], { cwd: root })).toString('latin1').trim();
  const result = { branch, commit };
  if (how === 'bundle' || !verdict.verified) return bundleOf(project, result, '');
  await requireHold();
  const there = await pushResult(root, result, access);
  if (there === undefined)
    return bundleOf(project, result, `The branch ${branch} of the repository holds other commits. `);
  if (how === 'branch') return { delivered: { how, ...there } };
  await requireHold();
  const message = await orFailed(`The branch ${branch} is pushed; its pull request is left to open.`, () =>
    openPull(request, branch),
  );
  return { delivered: { how, branch, commit: there.commit, message } };
}

async function bundleOf(
  { repository: { root, head } }: Project,
  { branch, commit }: { readonly branch: string; readonly commit: string },
  why: string,
): Promise<DeliveredResult> {
  const range = `${head}..refs/heads/${branch}`;
  const bundle = await git(['bundle', 'create', '--quiet', '-', range], { cwd: root });
  const message = `${why}The result is a git bundle of ${bundle.length} bytes in the database.`;
  return { delivered: { how: 'bundle', branch, commit, message }, bundle };
}

/** The branch as the remote has it; undefined if it holds something else there. */
async function pushResult(
  root: string,
  { branch, commit }: { readonly branch: string; readonly commit: string },
  access: RemoteAccess,
): Promise<Pick<Delivered, 'branch' | 'commit' | 'message'> | undefined> {
  return orFailed(`The branch ${branch} is left to push.`, async () => {
    if (await pushNewBranch(root, branch, access))
      return { branch, commit, message: `Pushed the branch ${branch}.` };
    const own = await git(['cat-file', 'commit', commit], { cwd: root });
    const there = await remoteCommit(branch, access);
    if (changeOf(own) !== changeOf(there.content)) return undefined;
    const message = `The branch ${branch} was there: an earlier machine pushed it.`;
    return { branch, commit: there.commit, message };
  });
}

/** Tree and parents of a commit, without who made it and when. */
function changeOf(commit: Buffer): string {
  return commit.toString('latin1').split('\nauthor ', 1)[0]!;
}

async function remoteCommit(
  branch: string,
  access: RemoteAccess,
): Promise<{ readonly commit: string; readonly content: Buffer }> {
  const desk = await openRemoteDesk(access);
  try {
    const commit = await desk.fetch(branch);
    return { commit, content: await desk.git(['cat-file', 'commit', commit]) };
  } finally {
    desk.close();
  }
}

async function openPull({ project, loopId, access, env }: DeliverRequest, branch: string): Promise<string> {
  const { open } = await preparePullRequests(project, { env: environmentOf(env), remote: access.url });
  return open({ branch, loopId });
}

async function orFailed<T>(left: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof RalphError ? new DeliveryFailed(error, left) : error;
  }
}

/** Without what names the repository and the run that the worker was started in. */
function environmentOf(env: DeliverRequest['env']): DeliverRequest['env'] {
  const {
    GITHUB_REPOSITORY: _repository,
    GITHUB_RUN_ID: _run,
    GITHUB_WORKFLOW_REF: _workflow,
    ...rest
  } = env;
  return { ...rest, GITHUB_TOKEN: gitHubToken(env) };
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
