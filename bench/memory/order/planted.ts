import { git, isSource } from '../../fix-commits/fix-commits-in.ts';
import { proposeCandidates } from '../../../src/repair/operators/propose/candidates.ts';
import { createHabits } from '../../../src/repair/habits/habits.ts';
import { applyEdits } from '../../../src/repair/syntax/edit.ts';
import { readPastChanges } from '../../../src/workspace/past-changes.ts';
import { randomNumbers } from '../figures.ts';
import type { KnownRepair } from './known-repair.ts';
import { sourcesAt } from './sources-at.ts';

/** Operators whose edits are mistakes that people make in several places; their own or another operator takes them back. */
const KINDS = [
  'comparison',
  'arithmetic',
  'logical',
  'off-by-one',
  'swap-arguments',
  'negate',
  'drop-await',
] as const;
/** Bugs of the kind of a series, and of other kinds among them. */
const COUNTS = { own: 6, other: 2 } as const;
const MOST_CHARS = 30_000;
const MOST_FILES = 12;

/**
 * Series of related bugs planted in the newest code of a repository: six edits by one operator and two by others, at places
 * drawn by the seed. The repair is the original code. Kinds with too few places are left out.
 */
export function plantedIn(series: string, clone: string, seed: number): KnownRepair[][] {
  const random = randomNumbers(seed);
  const files = git(clone, ['ls-tree', '-r', '--name-only', 'HEAD']).split('\n').filter(isSource);
  const sources = drawn(files, random)
    .slice(0, MOST_FILES)
    .map((file) => ({ file, text: git(clone, ['show', `HEAD:${file}`]) }))
    .filter(({ text }) => text.length <= MOST_CHARS);
  const bugs = new Map(
    KINDS.map((kind) => [
      kind,
      drawn(
        sources.flatMap((source) => bugsOf({ series, clone }, source, kind)),
        random,
      ),
    ]),
  );
  return KINDS.flatMap((kind) => {
    const own = bugs.get(kind)!.slice(0, COUNTS.own);
    const others = KINDS.filter((other) => other !== kind).flatMap((other) => bugs.get(other)!.slice(-1));
    if (own.length < COUNTS.own || others.length < COUNTS.other) return [];
    const [first, second] = others;
    const all = [...own.slice(0, 2), first!, ...own.slice(2, 4), second!, ...own.slice(4)];
    return [all.map((bug) => ({ ...bug, series: `${series} ${kind}` }))];
  });
}

function bugsOf(
  { series, clone }: Pick<KnownRepair, 'series'> & { clone: string },
  { file, text }: { file: string; text: string },
  kind: string,
): KnownRepair[] {
  const edits = proposeCandidates({ file, text, operators: new Set([kind]), limit: 200 });
  return edits.map((edit) => ({
    ...{ series, name: edit.signature, file, after: text, testFile: 'test/none.test.js', testText: '' },
    before: applyEdits(text, edit.edits),
    learn: async ({ history }) =>
      createHabits(sourcesAt(clone, 'HEAD'), history ? await readPastChanges(clone) : []),
  }));
}

function drawn<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
