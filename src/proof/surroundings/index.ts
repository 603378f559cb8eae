import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import type { Tampering, TestCase } from '../../schema/generated.ts';
import type { ChangedSources } from '../base-sources.ts';
import { isDecidedBy } from './kinds.ts';
import { surroundingsReads, type SurroundingsRead } from './reads.ts';
import { textWithout } from './without.ts';
import { textOf } from '../../platform/files/text-of.ts';

export interface SurroundingsRequest extends ChangedSources {
  /** Tests that failed before and pass now; undefined for a command that failed before and passes now. */
  readonly flipped: readonly TestCase[] | undefined;
  /** Whether what is read counts, by its name; all of it does if absent. */
  readonly counts?: (what: string) => boolean;
  /** Files that judge: those of the tests, or all judges of a command; relative to the root. */
  readonly judges: readonly string[];
  readonly isJudge: (path: string) => boolean;
}

/** A read of a changed source that the base does not have. */
interface AddedRead extends SurroundingsRead {
  readonly source: string;
}

/** More added reads than can be tried. */
const MAX_TRIES = 16;

/**
 * Finds what a change reads of its surroundings, such as the process, the machine or the clock, and tries whether it
 * decides: the tests that failed before run again with the opposite of what is read, or without the variable of the
 * environment, all reads together and each alone. Tampering for a read without which they fail: the result holds only
 * where they run. What a test decides itself, such as a variable that it sets, and what the base reads already, is left
 * alone. The files are put back. Never rejects for what the code does.
 */
export async function findDecidingSurroundings(
  check: Check,
  asked: SurroundingsRequest,
): Promise<Tampering[]> {
  if (asked.flipped?.length === 0) return [];
  const added = await addedReads(asked);
  if (added.length > MAX_TRIES) return [tooMany(added)];
  const drawn = added.filter(({ use }) => use === 'low').map((read) => ({ ...read, use: 'high' as const }));
  const tries = [added, ...(added.length > 1 ? apart(added) : []), ...(drawn.length > 0 ? [drawn] : [])];
  for (const reads of added.length === 0 ? [] : tries) {
    if (asked.request.signal.aborted) return [];
    if (!(await holdsWithout(reads, check, asked))) return [decides(reads[0]!)];
  }
  return [];
}

/** Each read alone, but moments of a file together: one clock shows them all, so that durations stay what they are. */
function apart(added: readonly AddedRead[]): AddedRead[][] {
  const groups = Map.groupBy(added, (read) => (isMoment(read) ? `${read.source} ${read.what}` : read));
  return groups.size === 1 ? [] : [...groups.values()];
}

function isMoment({ what, use }: AddedRead): boolean {
  return use === 'value' && /^(the clock|timeStamp|lastModified)$/.test(what);
}

async function addedReads({
  request: { root },
  sources,
  baseText,
  judges,
  isJudge,
  counts = () => true,
}: SurroundingsRequest): Promise<AddedRead[]> {
  const testText = judges.map((path) => textOf(join(root, path))).join('\n');
  const added: AddedRead[] = [];
  for (const source of sources.filter(isEditableSource)) {
    const isOwnData = (path: string): boolean => {
      const places = [join(root, dirname(source), path), join(root, path)];
      return (
        /^\.{0,2}\/?\w/.test(path) && places.some((it) => existsSync(it) && !isJudge(relative(root, it)))
      );
    };
    const before = surroundingsReads(source, (await baseText(source)) ?? '', isOwnData);
    const now = surroundingsReads(source, textOf(join(root, source)), isOwnData);
    added.push(...newOnes(before, now).map((read) => ({ ...read, source })));
  }
  return added.filter(({ what }) => counts(what) && !isDecidedBy(what, testText));
}

/** The reads of which there are more than in the base. */
function newOnes(before: readonly SurroundingsRead[], now: readonly SurroundingsRead[]): SurroundingsRead[] {
  const known = Map.groupBy(before, keyOf);
  return [...Map.groupBy(now, keyOf)].flatMap(([key, reads]) =>
    reads.length > (known.get(key)?.length ?? 0) ? reads : [],
  );
}

/** A file that is read in another encoding is the same read. */
function keyOf({ what, use, origin }: SurroundingsRead): string {
  const read = what.startsWith('fs.readFile')
    ? origin.replace(/, *(?:['"][\w-]+['"]|\{[^{}]*\})\)$/, ')')
    : origin;
  return `${what} ${use} ${read}`;
}

/** Whether the tests still pass with the opposite of what is read. */
async function holdsWithout(
  reads: readonly AddedRead[],
  check: Check,
  { request, flipped, judges }: SurroundingsRequest,
): Promise<boolean> {
  const bySource = Map.groupBy(reads, ({ source }) => source);
  const texts = new Map(
    [...bySource].map(([source, own]) => [source, textWithout(textOf(join(request.root, source)), own)]),
  );
  const files = flipped === undefined ? {} : { files: judges };
  const report = await withTexts(request.root, texts, () => check.run({ ...request, fresh: true, ...files }));
  return flipped === undefined ? report.status === 'pass' : passesAll(flipped, report);
}

/** Whether all of these tests pass in a report. */
export function passesAll(flipped: readonly TestCase[], { tests }: CheckReport): boolean {
  const passed = new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  return flipped.every(({ id }) => passed.has(id));
}

function decides({ source, what, line }: AddedRead): Tampering {
  const detail = `${source}:${line} reads ${what}, and the tests pass only with what that is where they run. The result must not depend on it, or a test must decide it. --allow permits it in a file.`;
  return { kind: 'surroundings_read', file: source, detail: detail.slice(0, 2_000) };
}

function tooMany(added: readonly AddedRead[]): Tampering {
  const { source, what, line } = added[0]!;
  const detail = `The change reads its surroundings in ${added.length} new places, first ${what} at ${source}:${line}: more than the ${MAX_TRIES} that are tried. --allow permits it in a file.`;
  return { kind: 'surroundings_read', file: source, detail: detail.slice(0, 2_000) };
}
