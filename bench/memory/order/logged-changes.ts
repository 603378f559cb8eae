import { execaSync } from 'execa';

/** A change of one place of a source file. */
export interface LoggedChange {
  /** Relative to the root. */
  readonly file: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Number of lines before the place, in the file after the commit. */
  readonly line: number;
}

/** A commit that changes JavaScript or TypeScript. */
export interface LoggedCommit {
  readonly sha: string;
  readonly subject: string;
  readonly changes: readonly LoggedChange[];
  /** False where it also adds or deletes files of code. */
  readonly isWhole: boolean;
}

const COMMITS = 6000;
const OPTIONS = ['--no-merges', '--no-renames', '--patch', '--unified=0', '--no-color', '--no-ext-diff'];
const CODE = [
  '*.[jt]s',
  '*.[jt]sx',
  '*.[cm][jt]s',
  ':(exclude)*dist/*',
  ':(exclude)*.min.js',
  ':(exclude)*.d.ts',
];
const BATCH = 500;

/** The last 6,000 commits of a clone that change code, newest first. */
export function* changesIn(clone: string): Generator<LoggedCommit> {
  for (let skipped = 0; skipped < COMMITS; skipped += BATCH) {
    const range = [`--skip=${skipped}`, `--max-count=${BATCH}`];
    const { stdout } = execaSync(
      'git',
      ['-C', clone, 'log', ...OPTIONS, ...range, '--format=%x00%H %s', 'HEAD', '--', ...CODE],
      { stdin: 'ignore', maxBuffer: 2 ** 29 },
    );
    const entries = stdout.split('\0').slice(1);
    for (const entry of entries) yield commitOf(entry);
    if (entries.length < BATCH) return;
  }
}

function commitOf(entry: string): LoggedCommit {
  const [head = '', ...files] = entry.split(/^diff --git .*\n/m);
  return {
    sha: head.slice(0, 40),
    subject: head.slice(41).split('\n')[0]!,
    changes: files.flatMap(changesOf),
    isWhole: files.every((patch) => !/^(?:---|\+\+\+) \/dev\/null$/m.test(patch)),
  };
}

function changesOf(patch: string): LoggedChange[] {
  const file = /^\+\+\+ b\/(.+?)\t?$/m.exec(patch)?.[1];
  if (file === undefined) return [];
  return [...patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@.*\n((?:[-+\\].*\n?)*)/gm)].map(
    ([, start, count, text]) => {
      const marked = (sign: string): string[] =>
        text!
          .split('\n')
          .filter((line) => line.startsWith(sign))
          .map((line) => line.slice(1));
      const line = count === '0' ? Number(start) : Number(start) - 1;
      return { file, before: marked('-'), after: marked('+'), line };
    },
  );
}
