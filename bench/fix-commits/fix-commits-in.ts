import { execaSync } from 'execa';
import { isEditableSource, isTestFile } from '../../src/repair/syntax/source-files.ts';
import { changedLines } from './changed-lines.ts';

/** A commit that is a small fix with a test, judged by its message and its changes. */
export interface FixCommit {
  readonly sha: string;
  readonly subject: string;
  /** Changed and added test files, relative to the root. */
  readonly tests: readonly string[];
  /** Changed source files, relative to the root. */
  readonly sources: readonly string[];
  /** Number of changed lines of code in the sources. */
  readonly lines: number;
}

/** Which fixes count as small enough. */
export interface FixLimits {
  readonly sources: number;
  readonly lines: number;
}

/** The subject of a commit that says that it fixes something. */
const FIX = /^fix(\([^)]*\))?!?:|^fix(e[sd])?\s/i;
const SMALL: FixLimits = { sources: 2, lines: 6 };
/** Folders whose files do not count as sources. */
const NO_SOURCES = /(^|\/)(dist|docs?|bench(mark)?s?|examples?|scripts?|tasks|site|website)\//;

/**
 * The fixes in the history of a clone, newest first, each with a test file. By default they change at most six lines of
 * code in two sources.
 */
export function* fixCommitsIn(clone: string, limits: FixLimits = SMALL): Generator<FixCommit> {
  const log = git(clone, ['log', '--no-merges', '--format=%H %s', 'HEAD']).trim().split('\n');
  for (const line of log) {
    const [sha = '', subject = ''] = [line.slice(0, 40), line.slice(41)];
    const commit = FIX.test(subject) ? fixCommitOf(clone, { sha, subject }, limits) : undefined;
    if (commit !== undefined) yield commit;
  }
}

/** Runs git in a clone and returns its whole standard output. Throws if git fails. */
export function git(clone: string, args: readonly string[]): string {
  return execaSync('git', ['-C', clone, ...args], { stdin: 'ignore', stripFinalNewline: false }).stdout;
}

function fixCommitOf(
  clone: string,
  { sha, subject }: Pick<FixCommit, 'sha' | 'subject'>,
  limits: FixLimits,
): FixCommit | undefined {
  const changes = git(clone, ['show', '--format=', '--name-status', '--no-renames', sha])
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([status, file]) => (status === undefined || file === undefined ? [] : [{ status, file }]));
  const files = changes.filter(({ status }) => status !== 'D').map(({ file }) => file);
  const tests = files.filter((file) => isTestFile(file) && /\.[cm]?[jt]sx?$/.test(file));
  const sources = changes.filter(({ file }) => isSource(file));
  if (tests.length === 0 || sources.length === 0 || sources.length > limits.sources) return undefined;
  if (sources.some(({ status }) => status !== 'M')) return undefined;
  const lines = sources.map(({ file }) =>
    changedLines(file, git(clone, ['show', `${sha}^:${file}`]), git(clone, ['show', `${sha}:${file}`])),
  );
  const total = lines.reduce((sum, count) => sum + count, 0);
  if (total === 0 || total > limits.lines) return undefined;
  return { sha, subject, tests, sources: sources.map(({ file }) => file), lines: total };
}

/** True for a source file that belongs to the program itself. */
export function isSource(file: string): boolean {
  return isEditableSource(file) && !NO_SOURCES.test(file);
}
