import { isAbsolute } from 'node:path';
import type { JobDetails, JobState } from '../../fleet/queue/read-jobs.ts';
import type { NextStep } from '../../report/end/next-steps.ts';

/** States that `ralph queue retry` takes. */
const RETRIED: ReadonlySet<JobState> = new Set(['unverified', 'unproven', 'failed', 'cancelled', 'dead']);

/** The commands that the user may type after a job has ended, the likeliest first. The loop's own folder is gone by then. */
export function jobSteps({ id, state, delivered, address }: JobDetails): NextStep[] {
  const short = id.slice(0, 8);
  return [
    ...(delivered === null ? [] : stepsTo(short, delivered, address)),
    ...(RETRIED.has(state) ? [{ command: `ralph queue retry ${short}`, why: 'queues the job again' }] : []),
  ];
}

function stepsTo(
  id: string,
  { how, branch }: NonNullable<JobDetails['delivered']>,
  address: string,
): NextStep[] {
  const isBundle = how === 'bundle';
  // A checkout that was submitted by its path has another repository as its origin.
  const remote = isAbsolute(address) ? `'${address.replaceAll("'", "'\\''")}'` : 'origin';
  const merge = { command: 'git merge FETCH_HEAD', why: 'merges it into the present branch' };
  return [
    ...(isBundle
      ? [{ command: `ralph queue show ${id} --bundle result.bundle`, why: 'writes the result to a file' }]
      : []),
    {
      command: `git fetch ${isBundle ? 'result.bundle' : remote} ${branch}`,
      why: 'brings the result into your checkout of the repository',
    },
    { command: 'git diff HEAD...FETCH_HEAD', why: 'shows the change' },
    ...(how === 'pull-request' ? [] : [merge]),
    ...(isBundle ? [] : [{ command: `git push ${remote} --delete ${branch}`, why: 'deletes the branch' }]),
  ];
}
