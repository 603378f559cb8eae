import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import pLimit from 'p-limit';
import { loadConfig } from '../../config/load.ts';
import { refuseContradictions } from '../../config/contradictions.ts';
import { resolveSettings } from '../../config/settings.ts';
import { messageOf, usageError } from '../../errors.ts';
import type { JobDelivery, JobRequest } from '../../fleet/queue/job-request.ts';
import { requireJobSettings } from '../../fleet/queue/job-settings.ts';
import { useFleet } from '../../fleet/queue/open-fleet.ts';
import { findDefaultBranch } from '../../fleet/queue/default-branch.ts';
import { claimedRepository, namedRepository, repositoryNamedAs } from '../../fleet/queue/named-repository.ts';
import type { RepositoryId } from '../../fleet/queue/repository-id.ts';
import { submitJobs, type SubmittedJob } from '../../fleet/queue/submit.ts';
import { isFolder } from '../../platform/files/is-folder.ts';
import { readTaskFile } from '../../tasks/task-file.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseLabels } from '../values.ts';
import { oneLine } from '../../platform/text/one-line.ts';
import { printable } from '../../platform/text/printable.ts';
import { readTask, type GivenTask } from '../task.ts';

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
/** Remotes that are asked for their default branch at the same time. */
const MOST_ASKED = 32;
/** Repositories whose jobs are queued together. */
const BATCH = 100;

/** A repository and the ref of its job. */
interface Target {
  readonly repository: RepositoryId;
  readonly ref: string;
}

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

/** `--ref main`, `--ref HEAD` and no ref are the same branch where main is the default one. */
function withDefaultBranches(targets: readonly Target[]): Promise<Target[]> {
  const limit = pLimit(MOST_ASKED);
  return Promise.all(
    targets.map(({ repository, ref }) =>
      limit(async () => ({
        repository,
        ref:
          ref === '' || ref === 'HEAD'
            ? ((await findDefaultBranch(repository.address)) ?? '')
            : ref.replace(/^refs\/heads\//, ''),
      })),
    ),
  );
}

/** True for a word that no task begins with: a URL, the address of ssh, or a path that is one. */
function namesRepository(word: string): boolean {
  if (/\s/.test(word)) return false;
  return /^[\w+.-]+:\/\/|^[\w.-]+@[\w.-]+:/.test(word) || (/^\.{0,2}(?:\/|$)/.test(word) && isFolder(word));
}

/** GitHub opens pull requests of branches that it has; a path has its branches elsewhere. */
async function refusePaths(targets: readonly Target[]): Promise<void> {
  const path = targets.find(({ repository }) => isAbsolute(repository.address))?.repository;
  if (path === undefined) return;
  const named = isAbsolute(path.name) ? await claimedRepository(path.address) : path;
  const url = named === undefined || isAbsolute(named.name) ? 'URL' : `https://${named.name}`;
  throw usageError(
    `--deliver pull-request needs the URL of the repository: ${path.address} is a path.`,
    `Submit it by its URL: ralph submit ${url}. Or --deliver branch`,
  );
}

function oneTarget(repository: string | undefined, { ref = '', as }: SubmitOptions): Target {
  if (repository === undefined)
    throw usageError(
      'ralph submit needs a repository.',
      'Give a URL or a path: ralph submit . "the task". Many at once: --sweep FILE',
    );
  const cwd = process.cwd();
  return {
    repository: as === undefined ? namedRepository(repository, cwd) : repositoryNamedAs(repository, as, cwd),
    ref,
  };
}

/** One repository a line, optionally followed by a ref; `#` begins a comment. */
function readSweep(file: string, { ref = '', as }: SubmitOptions): Target[] {
  if (as !== undefined)
    throw usageError('--as names one repository, and --sweep has many.', 'Leave --as out.');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`--sweep ${file} could not be read: ${messageOf(error)}`);
  }
  const lines = text.split('\n').map((line) => line.replace(/(?:^|\s)#.*$/, '').trim());
  const targets: Target[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const [given, own = ref, ...rest] = line.split(/\s+/);
    if (rest.length > 0)
      throw usageError(`--sweep ${file}, line ${index + 1}: more than a repository and a ref.`);
    try {
      targets.push({ repository: namedRepository(given!, process.cwd()), ref: own });
    } catch (error) {
      throw usageError(`--sweep ${file}, line ${index + 1}: ${messageOf(error)}`);
    }
  }
  if (targets.length === 0) throw usageError(`--sweep ${file} names no repository.`);
  return targets;
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
