import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitFailed, runGit, type GitRequest } from '../../platform/git/git.ts';

/**
 * Dependencies and ralph's own state, even where a .gitignore of the repository takes them back in
 * (`!*.json`): its rules win over those of info/exclude.
 */
const LEFT_OUT = [
  ':(top,exclude,glob)**/node_modules',
  ':(top,exclude,glob)**/node_modules/**',
  // Without a wildcard at the start git would complain that it is ignored anyway.
  ':(top,exclude,glob)[.]aiwg/ralph',
  ':(top,exclude,glob)[.]aiwg/ralph/**',
];

/** What git says of a repository in the tree, without a commit and with one. */
const REPOSITORY = [
  /^error: '(.*)' does not have a commit checked out$/,
  /^warning: adding embedded git repository: (.*)$/,
];

/** What git says of a path that it cannot read, while it takes the others in. */
const UNREADABLE = [
  /^error: unable to index file '(.*)'$/,
  /^error: open\("(.*)"\): (?:Permission denied|No such file or directory)$/,
];

/** What staging found; paths are relative to the root and are not in the index as files. */
export interface StagedTree {
  /** False where the index holds the same files with the same contents as before. */
  readonly changed: boolean;
  readonly unreadable: readonly string[];
  /** Nested repositories that were not in the index before. */
  readonly repositories: readonly string[];
}

/**
 * Takes all files of a work tree into its index, less what is ignored, and says what it could not take.
 * Throws RalphError where git fails for another reason, such as a full disk.
 */
export async function stageAll(request: GitRequest): Promise<StagedTree> {
  const args = ['add', '--all', '--verbose', '--ignore-errors', '--', '.', ...LEFT_OUT];
  const outcome = await runGit(args, request);
  const lines = outcome.stderr.split('\n');
  const repositories = pathsIn(lines, REPOSITORY);
  const unreadable = pathsIn(lines, UNREADABLE);
  if (outcome.exitCode !== 0) {
    const errors = lines.filter((line) => /^(error|fatal): /.test(line));
    const known = pathsIn(errors, [...REPOSITORY, ...UNREADABLE]);
    if (errors.length === 0 || known.length < errors.length) throw gitFailed(args, outcome);
  }
  return { changed: outcome.stdout.length > 0, repositories, unreadable };
}

/**
 * `stageAll` for a tree of ralph's own: a repository that was made in it would be one entry without content,
 * so it is turned into the plain folder that it is to the user's repository. True where the index changed.
 */
export async function stageOwn(request: GitRequest): Promise<boolean> {
  const { changed, repositories } = await stageAll(request);
  const gitDirs = repositories.map((path) => join(request.workTree!, path, '.git')).filter(existsSync);
  if (gitDirs.length === 0) return changed;
  for (const gitDir of gitDirs) rmSync(gitDir, { recursive: true, force: true });
  await git(['update-index', '--force-remove', '--', ...repositories], request);
  await stageOwn(request);
  return true;
}

function pathsIn(lines: readonly string[], patterns: readonly RegExp[]): string[] {
  const found = lines.flatMap((line) => patterns.map((pattern) => pattern.exec(line)?.[1]));
  return found.filter((path) => path !== undefined).map((path) => path.replace(/\/$/, ''));
}
