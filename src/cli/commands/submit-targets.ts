import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import pLimit from 'p-limit';
import { messageOf, RalphError, usageError } from '../../errors.ts';
import { findDefaultBranch } from '../../fleet/queue/default-branch.ts';
import { claimedRepository, namedRepository, repositoryNamedAs } from '../../fleet/queue/named-repository.ts';
import { requireRef } from '../../fleet/queue/ref-name.ts';
import type { RepositoryId } from '../../fleet/queue/repository-id.ts';
import { limitGit } from '../../platform/git/limits.ts';
import { listenForInterrupts } from '../interrupt.ts';
import type { SubmitOptions } from './submit.ts';

/** Remotes that are asked for their default branch at the same time. */
const MOST_ASKED = 32;
/** A repository and the ref of its job. */
export interface Target {
  readonly repository: RepositoryId;
  readonly ref: string;
}

/** GitHub opens pull requests of branches that it has; a path has its branches elsewhere. */
export async function refusePaths(targets: readonly Target[]): Promise<void> {
  const path = targets.find(({ repository }) => isAbsolute(repository.address))?.repository;
  if (path === undefined) return;
  const named = isAbsolute(path.name) ? await claimedRepository(path.address) : path;
  const url = named === undefined || isAbsolute(named.name) ? 'URL' : `https://${named.name}`;
  throw usageError(
    `--deliver pull-request needs the URL of the repository: ${path.address} is a path.`,
    `Submit it by its URL: ralph submit ${url}. Or --deliver branch`,
  );
}

/** The one repository of a command line. Throws a usage error without one. */
export function oneTarget(repository: string | undefined, { ref: given, as }: SubmitOptions): Target {
  if (repository === undefined)
    throw usageError(
      'ralph submit needs a repository.',
      'Give a URL or a path: ralph submit . "the task". Many at once: --sweep FILE',
    );
  const cwd = process.cwd();
  return {
    repository: as === undefined ? namedRepository(repository, cwd) : repositoryNamedAs(repository, as, cwd),
    ref: refOf(given),
  };
}

/** Empty: the default branch. */
function refOf(given: string | undefined): string {
  return given === undefined ? '' : requireRef(given);
}

/** One repository a line, optionally followed by a ref; `#` begins a comment. */
export function readSweep(file: string, { ref, as }: SubmitOptions): Target[] {
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
    const [given, own, ...rest] = line.split(/\s+/);
    if (rest.length > 0)
      throw usageError(`--sweep ${file}, line ${index + 1}: more than a repository and a ref.`);
    try {
      targets.push({ repository: namedRepository(given!, process.cwd()), ref: refOf(own ?? ref) });
    } catch (error) {
      throw usageError(`--sweep ${file}, line ${index + 1}: ${messageOf(error)}`);
    }
  }
  if (targets.length === 0) throw usageError(`--sweep ${file} names no repository.`);
  return targets;
}

/**
 * `--ref main`, `--ref HEAD` and no ref are the same branch where main is the default one. A remote that does not answer is passed
 * over after a while. Throws RalphError if the user stops the command meanwhile.
 */
export async function withDefaultBranches(targets: readonly Target[]): Promise<Target[]> {
  const limit = pLimit(MOST_ASKED);
  const { signal, exitCode, close } = listenForInterrupts(() => undefined, 1);
  try {
    const found = await limitGit({ signal }, () =>
      Promise.all(targets.map((target) => limit(() => withBranch(target, signal)))),
    );
    if (signal.aborted) throw new RalphError('Stopped.', { code: 'aborted', exitCode: exitCode() });
    return found;
  } finally {
    close();
  }
}

async function withBranch({ repository, ref }: Target, signal: AbortSignal): Promise<Target> {
  if (ref !== '' && ref !== 'HEAD') return { repository, ref: ref.replace(/^refs\/heads\//, '') };
  const found = signal.aborted ? undefined : await findDefaultBranch(repository.address);
  return { repository, ref: found ?? '' };
}
