import { undefinedIfMissing, listAll, type Call } from './call.ts';
import type { RepositoryName } from './repository-name.ts';

/** A job of a workflow run that failed. */
export interface FailedJob {
  readonly id: number;
  readonly name: string;
  /** Name of its first failed step; undefined: the job failed without one. */
  readonly step: string | undefined;
}

/** The next run of a workflow. */
export interface Dispatch {
  /** File name of the workflow: `ralph.yml`. */
  readonly workflow: string;
  /** Branch whose version of the workflow runs. */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/** Runs of workflows. Every method throws RalphError `github_failed`. */
export interface Workflows {
  /**
   * False if the newest run of every workflow at a commit passed, apart from the workflow `except`; true if one failed or
   * timed out; undefined if none has ended.
   */
  isFailing(head: string, except: string | undefined): Promise<boolean | undefined>;
  /** Failed jobs of the newest attempt of a run. */
  failedJobs(run: number): Promise<FailedJob[]>;
  /** Log of a job; undefined: it has expired. */
  jobLog(job: number): Promise<string | undefined>;
  /** Starts a run of a workflow by `workflow_dispatch`. */
  dispatch(request: Dispatch): Promise<void>;
}

interface WorkflowRun {
  readonly name?: string | null;
  readonly workflow_id: number;
  readonly run_number: number;
  readonly status: string | null;
  readonly conclusion: string | null;
}

interface Job {
  readonly id: number;
  readonly name: string;
  readonly conclusion: string | null;
  readonly steps?: readonly { readonly name: string; readonly conclusion: string | null }[];
}

/** One request, because it is made for many commits. */
const NEWEST_RUNS = 100;

const FAILED: ReadonlySet<string | null> = new Set(['failure', 'timed_out']);

/** Creates the calls about workflow runs of one repository. */
export function createWorkflows(call: Call, { owner, name: repo }: RepositoryName): Workflows {
  return {
    async isFailing(head, except) {
      const { data } = await call('GET /repos/{owner}/{repo}/actions/runs', {
        ...{ owner, repo, head_sha: head, per_page: NEWEST_RUNS },
      });
      const runs = (data as { readonly workflow_runs: readonly WorkflowRun[] }).workflow_runs;
      const ended = newestRuns(runs.filter(({ name }) => name !== except)).filter(
        ({ status }) => status === 'completed',
      );
      if (ended.length === 0) return undefined;
      return ended.some(({ conclusion }) => FAILED.has(conclusion));
    },
    async failedJobs(run) {
      const jobs = (await listAll(call, 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs', {
        ...{ owner, repo, run_id: run, filter: 'latest', key: 'jobs' },
      })) as Job[];
      return jobs
        .filter(({ conclusion }) => FAILED.has(conclusion))
        .map(({ id, name, steps = [] }) => ({
          ...{ id, name },
          step: steps.find(({ conclusion }) => FAILED.has(conclusion))?.name,
        }));
    },
    async jobLog(job) {
      const data = await undefinedIfMissing(
        call('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', { owner, repo, job_id: job }),
      );
      return textOf(data);
    },
    async dispatch({ workflow, ref, inputs }) {
      await call('POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches', {
        ...{ owner, repo, workflow_id: workflow, ref, inputs },
      });
    },
  };
}

/** The run with the highest number of each workflow. */
function newestRuns(runs: readonly WorkflowRun[]): WorkflowRun[] {
  const newest = new Map<number, WorkflowRun>();
  for (const run of runs) {
    const known = newest.get(run.workflow_id);
    if (known === undefined || run.run_number > known.run_number) newest.set(run.workflow_id, run);
  }
  return [...newest.values()];
}

/** octokit returns text for `text/plain`, and bytes for a type that it does not know. */
function textOf(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : undefined;
}
