import { execaSync } from 'execa';
import { isEditableSource, isTestFile } from '../../src/repair/syntax/source-files.ts';
import { changedLines } from './changed-lines.ts';

/** A commit that by its message and size is a small fix with a test of its own. */
export interface FixCommit {
  readonly sha: string;
  readonly subject: string;
  /** Test files that it changes or adds, relative to the root. */
  readonly tests: readonly string[];
  /** Source files that it changes. */
  readonly sources: readonly string[];
}

const FIX = /^fix(\([^)]*\))?!?:|^fix(e[sd])?\s/i;
const MAX_SOURCES = 2;
const MAX_LINES = 6;
const LEFT_OUT = /(^|\/)(dist|docs?|bench(mark)?s?|examples?|scripts?|tasks|site|website)\//;

/** Small fixes of a clone, newest first: at least one test file, at most two source files and six changed lines. */
export function fixCommitsIn(clone: string): FixCommit[] {
  const log = git(clone, ['log', '--no-merges', '--format=%H %s', 'HEAD']).trim().split('\n');
  return log.flatMap((line) => {
    const [sha = '', subject = ''] = [line.slice(0, 40), line.slice(41)];
    const commit = FIX.test(subject) ? describe(clone, sha, subject) : undefined;
    return commit === undefined ? [] : [commit];
  });
}

/** Standard output of git in a clone, whole. Throws if git fails. */
export function git(clone: string, args: readonly string[]): string {
  return execaSync('git', ['-C', clone, ...args], { stdin: 'ignore', stripFinalNewline: false }).stdout;
}

function describe(clone: string, sha: string, subject: string): FixCommit | undefined {
  const changes = git(clone, ['show', '--format=', '--name-status', '--no-renames', sha])
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([status, file]) => (status === undefined || file === undefined ? [] : [{ status, file }]));
  const files = changes.filter(({ status }) => status !== 'D').map(({ file }) => file);
  const tests = files.filter((file) => isTestFile(file) && /\.[cm]?[jt]sx?$/.test(file));
  const sources = changes.filter(({ file }) => isSource(file));
  if (tests.length === 0 || sources.length === 0 || sources.length > MAX_SOURCES) return undefined;
  if (sources.some(({ status }) => status !== 'M')) return undefined;
  const lines = sources.map(({ file }) =>
    changedLines(file, git(clone, ['show', `${sha}^:${file}`]), git(clone, ['show', `${sha}:${file}`])),
  );
  const total = lines.reduce((sum, count) => sum + count, 0);
  if (total === 0 || total > MAX_LINES) return undefined;
  return { sha, subject, tests, sources: sources.map(({ file }) => file) };
}

function isSource(file: string): boolean {
  return isEditableSource(file) && !LEFT_OUT.test(file);
}
