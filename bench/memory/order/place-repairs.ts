import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { factorsFrom, NO_FACTORS, type ExperienceFactors } from '../../../src/repair/strategy/experience.ts';
import { proposeRanked } from '../../../src/repair/strategy/propose.ts';
import { recallCandidates, takeTurns } from '../../../src/repair/strategy/recall-candidates.ts';
import { editedRange, type Candidate } from '../../../src/repair/syntax/edit.ts';
import type { SuspectRegion } from '../../../src/repair/localise/localise.ts';
import type { Range } from '../../../src/repair/syntax/regions.ts';
import type { AcceptedEdit } from '../../../src/schema/generated.ts';
import type { Habits } from '../../../src/repair/habits/habits.ts';
import type { Arm, KnownRepair, PlacedRepair } from './known-repair.ts';

/** Candidates of one attempt, as in the default settings. */
const LIMIT = 10_000;

/** Lines on each side of the repair that are suspicious, as many as the tests of a function usually reach. */
const LINES_AROUND = 20;

/**
 * The places of the known repairs of one series, oldest first; repairs that the offline actor does not propose are left out.
 * No test runs: the lines around the repair are equally suspicious in all orders, so that only memory makes a difference.
 */
export async function placeRepairs(
  repairs: readonly KnownRepair[],
  arms: readonly Arm[] = ['on'],
): Promise<PlacedRepair[]> {
  const placed: PlacedRepair[] = [];
  for (const repair of repairs) {
    const { series, name, isPart = false } = repair;
    // Few fixes are an edit of the search, and few lines are read quickly.
    const near = await orderOf(repair, { factors: NO_FACTORS }, 1);
    if (placeOf(repair, near) === undefined) continue;
    const plain = await orderOf(repair, { factors: NO_FACTORS });
    const off = placeOf(repair, plain);
    if (off === undefined) continue;
    const memory = placed.filter((one) => one.name !== name).map(({ edit }) => edit);
    const places: Partial<Record<Arm, number | undefined>> = {};
    for (const arm of arms)
      places[arm] = placeOf(repair, await orderOf(repair, await knowledgeOf(repair, arm, memory)));
    const { operator, signature } = plain[off - 1]!;
    const edit = { operator, edit: signature, file_path: repair.file, test_file: repair.testFile };
    placed.push({ series, name, isPart, edit, known: memory.length, off, places });
  }
  return placed;
}

interface Knowledge {
  readonly factors: ExperienceFactors;
  readonly habits?: Habits | undefined;
}

async function knowledgeOf(
  repair: KnownRepair,
  arm: Arm,
  memory: readonly AcceptedEdit[],
): Promise<Knowledge> {
  return {
    factors: arm === 'code' ? NO_FACTORS : factorsFrom(repair.testFile, memory),
    habits: arm === 'repairs' ? undefined : await repair.learn({ history: arm === 'on' }),
  };
}

/** The candidates in the order of trials. */
async function orderOf(
  repair: KnownRepair,
  { factors, habits }: Knowledge,
  linesAround = LINES_AROUND,
): Promise<readonly Candidate[]> {
  const { file, before, testFile, testText } = repair;
  const root = makeTemporaryFolder('bench-order');
  try {
    write(root, file, before);
    write(root, testFile, testText);
    const ranked = await proposeRanked({
      ...{ root, testFile, diagnostics: [], limit: LIMIT, factors, habits },
      suspects: [{ file, regions: [around(repair, linesAround)], weight: 1 }],
    });
    const candidates = ranked.map(({ candidate }) => candidate);
    return takeTurns(candidates, recallCandidates(ranked, factors)).order;
  } finally {
    removeTemporaryFolder(root);
  }
}

function around({ before, after }: KnownRepair, linesAround: number): SuspectRegion {
  const { changed } = changeOf(before, after);
  const lines = before.split('\n');
  const lineAt = (offset: number): number => before.slice(0, offset).split('\n').length - 1;
  const first = Math.max(0, lineAt(changed.start) - linesAround);
  const last = Math.min(lines.length, lineAt(changed.end) + linesAround + 1);
  const lengthOf = (count: number): number => lines.slice(0, count).join('\n').length;
  return { start: lengthOf(first), end: lengthOf(last), weight: 1, line: first + 1 };
}

/** The first candidate, 1-based, whose result is the repaired text; white space does not count. */
function placeOf({ before, after }: KnownRepair, order: readonly Candidate[]): number | undefined {
  const { changed, text } = changeOf(before, after);
  const wanted = squeezed(text);
  const index = order.findIndex(({ edits }) => {
    const isInside = edits[0]!.start >= changed.start && edits.at(-1)!.end <= changed.end;
    return isInside && squeezed(editedRange(before, edits, changed)) === wanted;
  });
  return index === -1 ? undefined : index + 1;
}

/** The lines of `before` that differ, and their replacement. */
function changeOf(before: string, after: string): { readonly changed: Range; readonly text: string } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const start = old.slice(0, head).join('\n').length + Math.min(head, 1);
  const end = before.length - old.slice(old.length - tail).join('\n').length;
  return { changed: { start, end }, text: now.slice(head, now.length - tail).join('\n') };
}

function squeezed(code: string): string {
  return code.replace(/\s+/g, '');
}

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
