import { userGit } from '../platform/git/user-git.ts';

/** A small change in the history: the lines before and after it. */
export interface PastChange {
  readonly before: string;
  readonly after: string;
}

const COMMITS = 1000;
const TIMEOUT_MS = 5_000;
/** A larger change is no edit that is made again elsewhere. */
const MOST_LINES = 3;
/** A commit with more changes moves or renames something everywhere. */
const MOST_IN_COMMIT = 60;
const OPTIONS = ['--no-merges', '--diff-filter=M', '--patch', '--unified=0', '--format=%x00'];
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules', '--no-renames'];
const SOURCES = ['*.[jt]s', '*.[jt]sx', '*.[cm][jt]s'];

/**
 * The small changes that the last thousand commits up to a revision made in JavaScript and TypeScript files, newest first.
 * Read-only. Empty if git fails or takes more than 5 s.
 */
export async function readPastChanges(root: string, revision = 'HEAD'): Promise<PastChange[]> {
  const logged = await userGit({ cwd: root, timeoutMs: TIMEOUT_MS }, (git) =>
    git.raw(['log', `--max-count=${COMMITS}`, ...OPTIONS, ...PLAIN, revision, '--', ...SOURCES]),
  );
  return logged.ok ? pastChanges(logged.value) : [];
}

/** The small changes of a log with patches without context, whose commits begin with a NUL. */
function pastChanges(log: string): PastChange[] {
  return log.split('\0').flatMap((patch) => {
    const changes = patch
      .split(/^@@ .*\n/m)
      .slice(1)
      .flatMap(changeOf);
    return changes.length > MOST_IN_COMMIT ? [] : changes;
  });
}

function changeOf(hunk: string): PastChange[] {
  const lines = hunk.split(/^diff --git /m)[0]!.split('\n');
  const marked = (sign: string): string[] =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  const [before, after] = [marked('-'), marked('+')];
  if (before.length > MOST_LINES || after.length > MOST_LINES) return [];
  return [{ before: before.join('\n'), after: after.join('\n') }];
}
