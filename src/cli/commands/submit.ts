import { isAbsolute, resolve } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { refuseContradictions } from '../../config/contradictions.ts';
import { resolveSettings } from '../../config/settings.ts';
import { usageError } from '../../errors.ts';
import type { JobDelivery, JobRequest } from '../../fleet/queue/job-request.ts';
import { requireJobSettings } from '../../fleet/queue/job-settings.ts';
import { useFleet } from '../../fleet/queue/open-fleet.ts';
import { claimedRepository } from '../../fleet/queue/named-repository.ts';
import { submitJobs, type SubmittedJob } from '../../fleet/queue/submit.ts';
import { isFolder } from '../../platform/files/is-folder.ts';
import { readTaskFile } from '../../tasks/task-file.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseLabels } from '../values.ts';
import { oneLine } from '../../platform/text/one-line.ts';
import { printable } from '../../platform/text/printable.ts';
import { readTask, type GivenTask } from '../task.ts';
import { oneTarget, readSweep, refusePaths, withDefaultBranches, type Target } from './submit-targets.ts';

export interface SubmitOptions extends OutputOptions {
  readonly ref?: string;
  readonly as?: string;
  readonly promptFile?: string;
  readonly tasks?: string;
  readonly sweep?: string;
  readonly key?: string;
  readonly priority?: string;
  readonly labels?: readonly string[];
  readonly deliver: JobDelivery;
}

const MAX_TASK = 80;
/** Repositories whose jobs are queued together. */
const BATCH = 100;

/** A task with the part of the key that tells it from the others. */
interface KeyedTask extends GivenTask {
  readonly key: string;
}

/** `ralph submit`. */
export async function submitCommand(
  repository: string | undefined,
  words: readonly string[],
  options: SubmitOptions,
): Promise<void> {
  if (options.sweep !== undefined && repository !== undefined && namesRepository(repository))
    throw usageError(
      `--sweep ${options.sweep} names the repositories, and ${JSON.stringify(repository)} is one as well.`,
      'Add it to the file, or leave it out. A task that begins with it is given by --prompt-file.',
    );
  const targets =
    options.sweep === undefined ? [oneTarget(repository, options)] : readSweep(options.sweep, options);
  if (options.deliver === 'pull-request') await refusePaths(targets);
  // With --sweep the first argument is a word of the task.
  const task = options.sweep === undefined || repository === undefined ? words : [repository, ...words];
  const tasks = await readTasks(task, options);
  const { config } = await loadConfig({ folders: [], flags: settingsFromOptions({ ...options }), env: {} });
  requireJobSettings(config);
  refuseContradictions(resolveSettings(config));
  const labels = parseLabels(options.labels);
  const priority = options.priority === undefined ? 0 : parsePriority(options.priority);
  const requestsOf = (target: Target): JobRequest[] =>
    tasks.map((one): JobRequest => ({
      ...target,
      key: keyOf(options.key, [targets.length > 1 ? target.repository.name : '', one.key]),
      task: one.text,
      proof: one.proof,
      config,
      delivery: options.deliver,
      labels,
      priority,
    }));
  await useFleet({ env: process.env }, async (fleet) => {
    const jobs: SubmittedJob[] = [];
    // Remotes are slow to ask: what is known is queued meanwhile.
    for (let at = 0; at < targets.length; at += BATCH) {
      const batch = await withDefaultBranches(targets.slice(at, at + BATCH));
      jobs.push(...(await submitJobs(fleet, batch.flatMap(requestsOf))));
      if (targets.length > BATCH) showProgress(Math.min(at + BATCH, targets.length), targets.length);
    }
    const value = jobs.map(({ id, isNew, repository: name, ref, task }) => ({
      ...{ id, new: isNew, repository: name, ref, task },
    }));
    await noteClaim(targets, options);
    printResult(options, options.format === 'json' && value.length === 1 ? value[0] : value, (chalk) =>
      value.map(({ id, new: isNew, repository: name, task }) => {
        const line = `${chalk.bold(id)}  ${printable(name)}  ${oneLine(printable(task), MAX_TASK)}`;
        return isNew ? line : `${line}  (was there already; its key is ${printable(options.key!)})`;
      }),
    );
  });
}

/** Says of a checkout that its job has not the name that its origin claims. */
async function noteClaim(
  [target]: readonly Target[],
  { sweep, as, format, quiet }: SubmitOptions,
): Promise<void> {
  const root = target!.repository.address;
  if (sweep !== undefined || as !== undefined || format !== 'text' || quiet === true || !isAbsolute(root))
    return;
  const claimed = await claimedRepository(root);
  if (claimed === undefined || isAbsolute(claimed.name)) return;
  process.stderr.write(
    `Note: limits and memory of the job are those of this folder. For those of its origin: --as https://${printable(claimed.name)}\n`,
  );
}

/** One line of a terminal, which the next call replaces. */
function showProgress(done: number, all: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r${done} of ${all} repositories queued${done === all ? '\n' : ''}`);
}

/** True for a word that no task begins with: a URL, the address of ssh, or a path that is one. */
function namesRepository(word: string): boolean {
  if (/\s/.test(word)) return false;
  return /^[\w+.-]+:\/\/|^[\w.-]+@[\w.-]+:/.test(word) || (/^\.{0,2}(?:\/|$)/.test(word) && isFolder(word));
}

async function readTasks(words: readonly string[], options: SubmitOptions): Promise<KeyedTask[]> {
  if (options.tasks === undefined) {
    const task = await readTask(words, {
      ...(options.promptFile === undefined ? {} : { promptFile: options.promptFile }),
    });
    return [{ ...task, key: '' }];
  }
  if (words.length > 0)
    throw usageError('The task is given twice: as an argument and by --tasks.', 'Leave out one of them.');
  const open = readTaskFile(resolve(options.tasks)).items.filter(({ done }) => !done);
  if (open.length === 0) throw usageError(`--tasks ${options.tasks} has no open task.`);
  return open.map(({ key, text, criteria }) => ({
    key,
    text,
    proof: { hasTask: true, isListed: true, criteria },
  }));
}

function keyOf(given: string | undefined, parts: readonly string[]): string | undefined {
  if (given === undefined) return undefined;
  if (given === '' || given.length > 500) throw usageError('--key must have 1 to 500 characters.');
  return [given, ...parts.filter((part) => part !== '')].join('/');
}

function parsePriority(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && Math.abs(value) <= 1_000_000) return value;
  throw usageError(
    `--priority ${text} is not a whole number from -1000000 to 1000000.`,
    'For example --priority 10',
  );
}
