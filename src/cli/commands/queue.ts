import { resolve } from 'node:path';
import { usageError } from '../../errors.ts';
import { cancelJob } from '../../fleet/queue/control.ts';
import { followJob } from '../../fleet/queue/follow-job.ts';
import { knownName } from '../../fleet/queue/known-name.ts';
import { useFleet, type Fleet } from '../../fleet/queue/open-fleet.ts';
import { findJob, JOB_STATES, listJobs } from '../../fleet/queue/read-jobs.ts';
import { retryJob } from '../../fleet/queue/retry.ts';
import { writeOutput } from '../../platform/files/write-output.ts';
import type { OutputOptions } from '../options.ts';
import { chalkFor, createOutput, printResult } from '../output.ts';
import { parseChoice, parseWholeNumber } from '../values.ts';
import { renderDetails, renderNext, renderRow } from './queue-lines.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

interface ListOptions extends OutputOptions {
  readonly state?: readonly string[];
  readonly repository?: string;
  readonly limit?: string;
}

/** `ralph queue list`. */
export async function listCommand(options: ListOptions): Promise<void> {
  const states = options.state?.map((state) => parseChoice('--state', state, JOB_STATES));
  const limit =
    options.limit === undefined ? DEFAULT_LIMIT : parseWholeNumber('--limit', options.limit, MAX_LIMIT);
  await withFleet(async ({ database }) => {
    const repository =
      options.repository === undefined
        ? undefined
        : (await knownName(database, 'repository', options.repository)).name;
    const jobs = await listJobs(database, { states, repository, limit });
    printResult(options, jobs, (chalk) =>
      jobs.length === 0
        ? [`No job${repository === undefined ? '' : ` of ${repository}`}. Queue one with: ralph submit`]
        : jobs.flatMap((job) => renderRow(job, chalk)),
    );
  });
}

/** `ralph queue show`. */
export async function showCommand(
  given: string,
  options: OutputOptions & { bundle?: string },
): Promise<void> {
  await withFleet(async ({ database }) => {
    const job = await findJob(database, given);
    if (options.bundle !== undefined) {
      const [row] = await database.query<{ bundle: Buffer | null }>(
        'SELECT bundle FROM ralph.job WHERE id = $1',
        [job.id],
      );
      if (row === undefined || row.bundle === null)
        throw usageError(
          `Job ${job.id} has no bundle.`,
          'Only jobs with --deliver bundle, and unproven results, have one.',
        );
      await writeOutput(resolve(options.bundle), row.bundle);
    }
    printResult(options, job, (chalk) => renderDetails(job, chalk));
  });
}

/** `ralph queue logs`. */
export async function logsCommand(
  given: string,
  options: OutputOptions & { follow?: boolean },
): Promise<void> {
  await withFleet(async ({ database }) => {
    const job = await findJob(database, given);
    const output = await createOutput(options, () => []);
    try {
      await followJob(database, { job: job.id, isFollowed: options.follow === true, emit: output.emit });
    } finally {
      output.close();
    }
    if (options.format !== 'text' || options.quiet === true) return;
    // The loop ends before its result is delivered.
    const lines = renderNext(await findJob(database, job.id), chalkFor(process.stdout));
    for (const line of lines) process.stdout.write(`${line}\n`);
  });
}

/** `ralph queue cancel`. */
export function cancelCommand(given: readonly string[], options: OutputOptions): Promise<void> {
  return forEachJob(given, options, {
    act: cancelJob,
    done: 'Cancelled',
    refused: 'had ended already',
  });
}

/** `ralph queue retry`. */
export function retryCommand(given: readonly string[], options: OutputOptions): Promise<void> {
  return forEachJob(given, options, {
    act: retryJob,
    done: 'Queued again',
    refused: 'is queued, running or verified',
  });
}

async function forEachJob(
  given: readonly string[],
  options: OutputOptions,
  {
    act,
    done,
    refused,
  }: {
    readonly act: (fleet: Fleet, id: string) => Promise<boolean>;
    readonly done: string;
    readonly refused: string;
  },
): Promise<void> {
  await withFleet(async (fleet) => {
    const results: { id: string; done: boolean }[] = [];
    for (const one of given) {
      const { id } = await findJob(fleet.database, one);
      results.push({ id, done: await act(fleet, id) });
    }
    printResult(options, results, () =>
      results.map(({ id, done: isDone }) => (isDone ? `${done} ${id}.` : `${id} ${refused}.`)),
    );
    if (results.some(({ done: isDone }) => !isDone)) process.exitCode = 1;
  });
}

function withFleet(act: (fleet: Fleet) => Promise<void>): Promise<void> {
  return useFleet({ env: process.env }, act);
}
