import { runGit } from './git.ts';

/** The output of a git command in a folder; empty if it fails, such as outside of a repository. */
export async function gitOutput(args: readonly string[], cwd: string): Promise<string> {
  const { exitCode, stdout } = await runGit(args, { cwd });
  return exitCode === 0 ? stdout.toString('utf8') : '';
}
