import { runGit, splitNul, type GitRequest } from '../platform/git/git.ts';

/** Lines of a file, 1-based, both ends included. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

const COMMITS = 3;
const TIMEOUT_MS = 5_000;
const PLAIN = ['--unified=0', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules'];
const PREFIXES = ['--src-prefix=a/', '--dst-prefix=b/'];
const SOURCES = ['*.[jt]s', '*.[jt]sx', '*.[cm][jt]s'];

/**
 * Lines of the user's JavaScript and TypeScript files that were changed in the last three commits or are uncommitted, by
 * path. Read-only. Empty if git fails or takes more than 5 s.
 */
export async function readRecentChanges(root: string): Promise<Map<string, LineRange[]>> {
  const request = { cwd: root, timeoutMs: TIMEOUT_MS };
  const listed = await runGit(['rev-list', '--first-parent', `--max-count=${COMMITS + 1}`, 'HEAD'], request);
  const base = listed.stdout.toString('latin1').trim().split('\n').at(-1)!;
  if (listed.exitCode !== 0 || base === '') return new Map();
  const args = [...(await withoutFilters(request)), 'diff', ...PLAIN, ...PREFIXES, base, '--', ...SOURCES];
  const { exitCode, stdout } = await runGit(args, request);
  return exitCode === 0 ? changedLines(stdout.toString('utf8')) : new Map();
}

/** Programs that the configuration names to turn files into others are left out: none of them is run. */
async function withoutFilters(request: GitRequest): Promise<string[]> {
  const listed = await runGit(['config', '-z', '--name-only', '--get-regexp', '^filter\\.'], request);
  const names = splitNul(listed.stdout).map((name) => name.toString('utf8'));
  return names.flatMap((name) => ['-c', name.endsWith('.required') ? `${name}=false` : `${name}=`]);
}

/** Ranges of added lines in a diff without context, by path; for deleted lines, the lines around them. */
export function changedLines(diff: string): Map<string, LineRange[]> {
  const ranges = new Map<string, LineRange[]>();
  let file: string | undefined;
  let inHeader = false;
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) [file, inHeader] = [undefined, true];
    if (inHeader) file = /^\+\+\+ b\/(.+?)\t?$/.exec(line)?.[1] ?? file;
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    inHeader = false;
    if (file === undefined) continue;
    const [first, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    const range =
      count === 0 ? { first: Math.max(1, first), last: first + 1 } : { first, last: first + count - 1 };
    ranges.set(file, [...(ranges.get(file) ?? []), range]);
  }
  return ranges;
}
