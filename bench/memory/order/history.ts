import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { git, isSource } from '../../fix-commits/fix-commits-in.ts';
import { createHabits } from '../../../src/repair/habits/habits.ts';
import { changeBetween, tokensIn } from '../../../src/repair/habits/tokens.ts';
import { isTestFile } from '../../../src/repair/syntax/source-files.ts';
import { readPastChanges } from '../../../src/workspace/past-changes.ts';
import type { KnownRepair } from './known-repair.ts';
import { changesIn, type LoggedChange } from './logged-changes.ts';
import { sourcesAt } from './sources-at.ts';

/** Lines that a change of a small fix takes out and brings in. */
const MOST_LINES = 2;
/** Changes, files and changed tokens of a small fix. */
const MOST_CHANGES = 4;
const MOST_FILES = 3;
const MOST_TOKENS = 8;
const MOST_CHARS = 40_000;
/** Stands for the test of a commit without one. */
const NO_TEST = 'test/none.test.js';
/** The subject of a commit that says that it repairs something. */
const REPAIRS = /\b(?:fix(?:e[sd])?|bug(?:fix)?)\b/i;
/** Commits that are no repairs of behaviour, although they may say fix. */
const OTHER =
  /\b(?:lint|typos?|docs?|readme|types?|typings?|chore|style|format|ci|build|deps|version|bump|release|comment|spelling)\b/i;

/** Folders below `folder` with a clone or bare repository, itself or in `repo`, with the name of each series. */
export function clonesIn(folder: string): { readonly series: string; readonly clone: string }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => ({ series: name, clone: gitFolderOf(join(folder, name)) }))
    .sort((a, b) => (a.series < b.series ? -1 : 1));
}

function gitFolderOf(path: string): string {
  return readdirSync(path).includes('repo') ? join(path, 'repo') : path;
}

/**
 * The small fixes in the history of a repository, newest first: the subject says fix or bug, and at most four places of three
 * source files change, each by at most two removed and two added lines and eight tokens. Each place is a bug of its own, with
 * the other places repaired.
 */
export function* repairsIn(series: string, clone: string): Generator<KnownRepair> {
  for (const { sha, subject, changes, isWhole } of changesIn(clone)) {
    if (!isWhole || !REPAIRS.test(subject) || OTHER.test(subject)) continue;
    if (changes.length > MOST_CHANGES || new Set(changes.map(({ file }) => file)).size > MOST_FILES) continue;
    if (changes.some(({ before, after }) => Math.max(before.length, after.length) > MOST_LINES)) continue;
    const test = testOf(clone, sha);
    const bugs = changes.filter(isSmall).flatMap((change) => bugOf(clone, sha, change));
    for (const bug of bugs)
      yield {
        ...{ series, name: sha, isPart: changes.length > 1, ...bug, ...test },
        learn: async ({ history }) =>
          createHabits(sourcesAt(clone, `${sha}^`), history ? await readPastChanges(clone, `${sha}^`) : []),
      };
  }
}

/** White space and comments are no change. */
function isSmall({ file, before, after }: LoggedChange): boolean {
  const textsOf = (lines: readonly string[]): string[] => tokensIn(lines.join('\n')).map(({ text }) => text);
  const { from, to } = changeBetween(textsOf(before), textsOf(after));
  const size = Math.max(from.length, to.length);
  return isSource(file) && size > 0 && size <= MOST_TOKENS;
}

/** The repaired file with one place as it was before; nothing for a large file. */
function bugOf(
  clone: string,
  sha: string,
  { file, before, after, line }: LoggedChange,
): Pick<KnownRepair, 'file' | 'before' | 'after'>[] {
  const repaired = textAt(clone, sha, file);
  if (repaired === undefined || repaired.length > MOST_CHARS) return [];
  const lines = repaired.split('\n');
  const broken = [...lines.slice(0, line), ...before, ...lines.slice(line + after.length)].join('\n');
  return [{ file, before: broken, after: repaired }];
}

function testOf(clone: string, sha: string): Pick<KnownRepair, 'testFile' | 'testText'> {
  const files = git(clone, ['show', '--format=', '--name-only', sha]).split('\n');
  const testFile = files.find((file) => isTestFile(file) && /\.[cm]?[jt]sx?$/.test(file));
  const testText = testFile === undefined ? undefined : textAt(clone, sha, testFile);
  return testFile === undefined || testText === undefined
    ? { testFile: NO_TEST, testText: '' }
    : { testFile, testText };
}

/** Undefined where the tree does not have the file. */
function textAt(clone: string, tree: string, file: string): string | undefined {
  try {
    return git(clone, ['show', `${tree}:${file}`]);
  } catch {
    return undefined;
  }
}
