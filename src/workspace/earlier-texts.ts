import { userGit } from '../platform/git/user-git.ts';

/** A part of a file that a recent commit changed, with the lines around it. */
export interface EarlierText {
  /** Relative to the repository's root. */
  readonly file: string;
  /** The lines as the commit left them. */
  readonly before: string;
  /** The lines as they were before the commit. */
  readonly after: string;
}

const COMMITS = 3;
const TIMEOUT_MS = 5_000;
/** A larger change is no slip: what it replaced is not a repair. */
const MOST_LINES = 12;
const MOST_TEXTS = 60;
const OPTIONS = ['--first-parent', '--diff-merges=first-parent', '--patch', '--unified=2', '--format='];
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules', '--no-renames'];
const PREFIXES = ['--src-prefix=a/', '--dst-prefix=b/'];
const SOURCES = ['*.[jt]s', '*.[jt]sx', '*.[cm][jt]s'];

/**
 * What the last three commits replaced in JavaScript and TypeScript files, newest first: at most 60 places of at most 12
 * changed lines. Uncommitted work is left out: it is what the user is writing. Read-only. Empty if git fails or takes
 * more than 5 s.
 */
export async function readEarlierTexts(root: string): Promise<EarlierText[]> {
  const logged = await userGit({ cwd: root, timeoutMs: TIMEOUT_MS }, (git) =>
    git.raw(['log', `--max-count=${COMMITS}`, ...OPTIONS, ...PLAIN, ...PREFIXES, '--', ...SOURCES]),
  );
  return logged.ok ? earlierTexts(logged.value).slice(0, MOST_TEXTS) : [];
}

/** The hunks of a patch as texts that undo them; none for files that it adds or deletes. */
function earlierTexts(patch: string): EarlierText[] {
  return patch.split(/^diff --git .*\n/m).flatMap((section) => {
    const [header = '', ...hunks] = section.split(/^@@ .*\n/m);
    const isNew = /^--- \/dev\/null$/m.test(header);
    const file = /^\+\+\+ b\/(.+?)\t?$/m.exec(header)?.[1];
    return file === undefined || isNew ? [] : hunks.flatMap((hunk) => undoing(file, hunk));
  });
}

function undoing(file: string, hunk: string): EarlierText[] {
  const lines = hunk.split('\n').filter((line) => /^[-+ ]/.test(line));
  if (lines.filter((line) => !line.startsWith(' ')).length > MOST_LINES) return [];
  const without = (sign: string): string =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return [{ file, before: without('-'), after: without('+') }];
}
