import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FIX, git, isSource } from '../../fix-commits/fix-commits-in.ts';
import { isTestFile } from '../../../src/repair/syntax/source-files.ts';
import type { KnownRepair } from './known-repair.ts';

/** Lines that a commit removes from and adds to its only source file. */
const MOST_LINES = 2;
const MOST_CHARS = 60_000;
/** Stands for the test of a commit without one. */
const NO_TEST = 'test/none.test.js';
/** Commits that are no repairs of behaviour, although they may say fix. */
const OTHER =
  /\b(?:lint|typos?|docs?|readme|types?|typings?|chore|style|format|ci|build|deps|version|bump|release)\b/i;

/** Folders below `folder` with a clone or bare repository, itself or in `repo`, with the name of each series. */
export function clonesIn(folder: string): { readonly series: string; readonly clone: string }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ series: name, clone: gitFolderOf(join(folder, name)) }))
    .sort((a, b) => (a.series < b.series ? -1 : 1));
}

function gitFolderOf(path: string): string {
  return readdirSync(path).includes('repo') ? join(path, 'repo') : path;
}

/**
 * The small fixes in the history of a repository, oldest first: the subject says fix, and exactly one source file changes, by at
 * most two removed and two added lines.
 */
export function* repairsIn(series: string, clone: string): Generator<KnownRepair> {
  const log = git(clone, [
    'log',
    '--reverse',
    '--no-merges',
    '--no-renames',
    '--numstat',
    '--format=%x00%H %s',
  ]);
  for (const entry of log.split('\0').slice(1)) {
    const [head = '', ...rows] = entry.split('\n').filter((row) => row !== '');
    const [sha, subject] = [head.slice(0, 40), head.slice(41)];
    if (!FIX.test(subject) || OTHER.test(subject)) continue;
    const files = rows
      .map((row) => row.split('\t'))
      .map(([added, deleted, file]) => ({ added, deleted, file: file! }));
    const sources = files.filter(({ file }) => isSource(file));
    const [source] = sources;
    if (sources.length !== 1 || Number(source!.added) > MOST_LINES || Number(source!.deleted) > MOST_LINES)
      continue;
    const [before, after] = [`${sha}^`, sha].map((tree) => textAt(clone, tree, source!.file));
    if (before === undefined || after === undefined || before.length > MOST_CHARS) continue;
    const test = files.find(({ file }) => isTestFile(file) && /\.[cm]?[jt]sx?$/.test(file))?.file;
    const testText = test === undefined ? undefined : textAt(clone, sha, test);
    const testFile = testText === undefined ? NO_TEST : test!;
    yield { series, name: sha, file: source!.file, before, after, testFile, testText: testText ?? '' };
  }
}

/** Undefined where the tree does not have the file. */
function textAt(clone: string, tree: string, file: string): string | undefined {
  try {
    return git(clone, ['show', `${tree}:${file}`]);
  } catch {
    return undefined;
  }
}
