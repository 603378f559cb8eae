import { userGit } from '../platform/git/user-git.ts';

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
  const listed = await userGit(request, (git) =>
    git.raw(['rev-list', '--first-parent', `--max-count=${COMMITS + 1}`, 'HEAD']),
  );
  const base = listed.ok ? listed.value.trim().split('\n').at(-1)! : '';
  if (base === '') return new Map();
  const filters = await userGit(request, (git) => git.listConfig());
  const config = filters.ok ? disabledFilters(Object.keys(filters.value.all)) : {};
  const diff = await userGit({ ...request, config }, (git) =>
    git.diff([...PLAIN, ...PREFIXES, base, '--', ...SOURCES]),
  );
  return diff.ok ? changedLines(diff.value) : new Map();
}

/** Configuration that turns off every filter of the user, so that the diff runs no program of a filter. */
function disabledFilters(keys: readonly string[]): Record<string, string> {
  const filters = keys.filter((key) => key.startsWith('filter.'));
  return Object.fromEntries(filters.map((key) => [key, key.endsWith('.required') ? 'false' : '']));
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
