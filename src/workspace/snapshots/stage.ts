import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addFiles } from './watched-git.ts';
import { git, gitFailed, type GitRequest } from '../../platform/git/git.ts';

/**
 * Excludes dependencies and ralph's state even if a .gitignore includes them again (`!*.json`), because its rules take
 * precedence over those of info/exclude.
 */
const LEFT_OUT = [
  ':(top,exclude,glob)**/node_modules',
  ':(top,exclude,glob)**/node_modules/**',
  // The brackets are a wildcard; without one, git complains that the path is ignored.
  ':(top,exclude,glob)[.]aiwg/ralph',
  ':(top,exclude,glob)[.]aiwg/ralph/**',
];

/** Git's messages for a nested repository without commits, and with commits. */
const REPOSITORY = [
  /^error: '(.*)' does not have a commit checked out$/,
  /^warning: adding embedded git repository: (.*)$/,
];

/** Git's messages for an unreadable path; the other paths are staged. */
const UNREADABLE = [
  /^error: unable to index file '(.*)'$/,
  /^error: open\("(.*)"\): (?:Permission denied|No such file or directory)$/,
];

/** Result of staging. Paths are relative to the root; they are not in the index as files. */
export interface StagedTree {
  /** False if the index has the same files with the same contents as before. */
  readonly changed: boolean;
  /** What was left out because of its size or depth is among them. */
  readonly unreadable: readonly string[];
  /** Nested repositories that were not in the index before. */
  readonly repositories: readonly string[];
}

type StageRequest = GitRequest & { readonly workTree: string };

/**
 * Stages all files of a work tree that are not ignored, and lists those that could not be staged. Throws RalphError if git
 * fails for another reason, such as a full disk.
 */
export async function stageAll(request: StageRequest, { isOwn = false } = {}): Promise<StagedTree> {
  const args = ['add', '--all', '--verbose', '--ignore-errors', '--', '.', ...LEFT_OUT];
  const { outcome, leftOut } = await addFiles(args, request, { isOwn });
  const lines = outcome.stderr.split('\n');
  const repositories = pathsIn(lines, REPOSITORY);
  const unreadable = pathsIn(lines, UNREADABLE);
  if (outcome.exitCode !== 0) {
    const errors = lines.filter((line) => /^(error|fatal): /.test(line));
    const known = pathsIn(errors, [...REPOSITORY, ...UNREADABLE]);
    if (errors.length === 0 || known.length < errors.length) throw gitFailed(args, outcome);
  }
  return { changed: outcome.stdout.length > 0, repositories, unreadable: [...unreadable, ...leftOut] };
}

/**
 * `stageAll` for a workspace of ralph. The `.git` of a repository created in it is removed, so that its files are staged
 * instead of one entry without content. Resolves to true if the index changed.
 */
export async function stageOwn(request: StageRequest): Promise<boolean> {
  const { changed, repositories } = await stageAll(request, { isOwn: true });
  const gitDirs = repositories.map((path) => join(request.workTree, path, '.git')).filter(existsSync);
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
