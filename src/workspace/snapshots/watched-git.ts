import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { git, gitFailed, runGit, type GitOutcome, type GitRequest } from '../../platform/git/git.ts';
import { removeDeepFolders } from '../remove-deep-folders.ts';
import { findObstacles, type Obstacles } from './obstacles.ts';

/** Most commands take less; only then the tree is searched for the reason. */
const LOOK_AFTER_MS = 3_000;

/** How `git add` ended, and the paths that it was told to leave out. */
export interface AddOutcome {
  readonly outcome: GitOutcome;
  readonly leftOut: readonly string[];
}

/**
 * Runs `git add` on a work tree. If it takes long, files of more than 4 GiB and folders at a depth of thousands are left
 * out, and rule files that are pipes or devices are an error; in a workspace of ralph's own (`isOwn`) such folders and rule
 * files are removed. Throws RalphError.
 */
export async function addFiles(
  args: readonly string[],
  request: GitRequest & { readonly workTree: string },
  { isOwn }: { readonly isOwn: boolean },
): Promise<AddOutcome> {
  const first = await watched(args, request);
  if ('outcome' in first) return { ...first, leftOut: [] };
  const { endless, huge, deep } = first.obstacles;
  if (request.indexFile !== undefined) rmSync(`${request.indexFile}.lock`, { force: true });
  if (endless.length > 0 && !isOwn) throw endlessRules(request.workTree, endless[0]!);
  if (isOwn) removeObstacles(request.workTree, first.obstacles);
  const leftOut = isOwn ? huge : [...huge, ...deep];
  const without = leftOut.map((path) => `:(top,exclude,literal)${path}`);
  return { outcome: await runGit([...args, ...without], request), leftOut };
}

/**
 * Runs git on a workspace of ralph's own. If it takes long, folders at a depth of thousands and rule files that are pipes or
 * devices are removed, and it runs again. Throws RalphError if git fails.
 */
export async function runInWorkspace(
  args: readonly string[],
  request: GitRequest & { readonly workTree: string },
): Promise<Buffer> {
  const first = await watched(args, request);
  if ('outcome' in first) {
    if (first.outcome.exitCode !== 0) throw gitFailed(args, first.outcome);
    return first.outcome.stdout;
  }
  removeObstacles(request.workTree, first.obstacles);
  return git(args, request);
}

function removeObstacles(root: string, { endless, deep }: Obstacles): void {
  for (const path of endless) rmSync(join(root, path), { force: true });
  if (deep.length > 0) removeDeepFolders(root);
}

type Watched = { readonly outcome: GitOutcome } | { readonly obstacles: Obstacles };

/** Ends git if it takes long and there are obstacles in the tree. */
async function watched(
  args: readonly string[],
  request: GitRequest & { readonly workTree: string },
): Promise<Watched> {
  const blocked = new AbortController();
  const done = new AbortController();
  let obstacles: Obstacles | undefined;
  const look = async (): Promise<void> => {
    const found = await findObstacles(request.workTree, done.signal);
    if (done.signal.aborted || !Object.values(found).some((paths) => paths.length > 0)) return;
    obstacles = found;
    blocked.abort();
  };
  const timer = setTimeout(() => void look(), LOOK_AFTER_MS);
  try {
    const outcome = await runGit(args, { ...request, signal: blocked.signal });
    return obstacles === undefined ? { outcome } : { obstacles };
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

function endlessRules(root: string, path: string): RalphError {
  return new RalphError(`${path} in ${root} is a pipe or a device, and git would wait for it without end.`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: `rm ${path}`,
  });
}
