import { gitFailed, runGit, type GitRequest } from './git.ts';

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

/** What git says of a path that it cannot take in, while it takes the others. */
const SKIPPED = [
  /^error: '(.*)' does not have a commit checked out$/,
  /^error: unable to index file '(.*)'$/,
  /^error: open\("(.*)"\): (?:Permission denied|No such file or directory)$/,
];

/**
 * Takes all files of a work tree into its index, less what is ignored. Gives the paths that could not be
 * read: files without permission, nested repositories without a commit. Throws RalphError for anything else.
 */
export async function stageAll(request: GitRequest): Promise<string[]> {
  const args = ['add', '--all', '--ignore-errors', '--', '.', ...LEFT_OUT];
  const outcome = await runGit(args, request);
  if (outcome.exitCode === 0) return [];
  const errors = outcome.stderr.split('\n').filter((line) => /^(error|fatal): /.test(line));
  const skipped = errors.map(skippedPath);
  if (errors.length === 0 || skipped.includes(undefined)) throw gitFailed(args, outcome);
  return skipped.filter((path) => path !== undefined);
}

function skippedPath(line: string): string | undefined {
  for (const pattern of SKIPPED) {
    const path = pattern.exec(line)?.[1];
    if (path !== undefined) return path.replace(/\/$/, '');
  }
  return undefined;
}
