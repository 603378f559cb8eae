import { execaSync } from 'execa';

/** Runs git in a repository and returns its output without the last line break. */
export function git(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  return execaSync('git', args, { cwd: root, env }).stdout;
}
