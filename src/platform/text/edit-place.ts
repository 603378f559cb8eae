import { parseHunks } from './patch-hunks.ts';

/**
 * The place of an edit among the lines of its file before the edit. Equal lines of a file are told apart by it, and it stays the
 * same where lines are added elsewhere in the file, which a line number does not.
 */
export interface EditPlace {
  /** The less indented lines around the edit, such as the head of its function, outermost first; trimmed. */
  readonly within: readonly string[];
  /** The nearest lines with text before and after the edit; trimmed, empty at an end of the file. */
  readonly above: string;
  readonly below: string;
  /** Which of the places with the same removed lines and the same lines around them it is, 1-based, and their number. */
  readonly nth: number;
  readonly of: number;
  /** True if the edit would fit another place of the file too: equal lines stand there, or it only adds lines. */
  readonly repeated: boolean;
}

const MOST = { within: 5, chars: 200 } as const;

/** Lines of a file beyond which no place is looked for, and lines above an edit in which the heads of its blocks are. */
const MOST_LINES = 20_000;
const MOST_ABOVE = 2000;

/**
 * The place of a patch with one change in one file. `lines`: those of the file before the change; empty for a new file.
 * Undefined for any other patch, and where the lines are not those that the patch removes.
 */
export function placeOfEdit(patch: string, lines: readonly string[]): EditPlace | undefined {
  const hunks = parseHunks(patch);
  const [hunk] = hunks;
  if (hunk?.isOneChange !== true || hunks.length > 1 || lines.length > MOST_LINES) return undefined;
  const before = lines.map(withoutEnd);
  const removed = hunk.removed.map(withoutEnd);
  const at = hunk.edits[0]!.line - 1;
  if (!removed.every((line, index) => before[at + index] === line)) return undefined;
  const here = around(before, at, removed.length);
  const wanted = removed.map((line) => line.trim());
  const isAlike = (start: number): boolean =>
    wanted.every((line, index) => before[start + index]?.trim() === line);
  // Lines that were only added could stand in any gap of the file.
  const alike = [...before.keys(), before.length].filter(isAlike);
  const same = alike.filter((start) => {
    const { above, below } = nextTo(before, start, removed.length);
    return (
      above === here.above &&
      below === here.below &&
      isSameAround(around(before, start, removed.length), here)
    );
  });
  return {
    ...here,
    nth: Math.max(1, same.indexOf(at) + 1),
    of: Math.max(1, same.length),
    repeated: removed.length === 0 || alike.length > 1,
  };
}

/** True for places with the same lines around them that are the same of as many. */
export function isSamePlace(one: EditPlace, other: EditPlace): boolean {
  return isSameAround(one, other) && one.nth === other.nth && one.of === other.of;
}

type Around = Pick<EditPlace, 'within' | 'above' | 'below'>;

function isSameAround(one: Around, other: Around): boolean {
  return (
    one.above === other.above &&
    one.below === other.below &&
    one.within.length === other.within.length &&
    one.within.every((line, index) => line === other.within[index])
  );
}

function around(lines: readonly string[], start: number, length: number): Around {
  const next = nextTo(lines, start, length);
  const first = length === 0 ? '' : textFrom(lines, start, 1);
  return {
    within: linesAround(lines, start, first === '' ? textFrom(lines, start + length, 1) : first),
    ...next,
  };
}

function nextTo(lines: readonly string[], start: number, length: number): Pick<Around, 'above' | 'below'> {
  return { above: cut(textFrom(lines, start - 1, -1)), below: cut(textFrom(lines, start + length, 1)) };
}

/** The nearest line with text in a direction; empty where there is none. */
function textFrom(lines: readonly string[], start: number, step: 1 | -1): string {
  for (let at = start; at >= 0 && at < lines.length; at += step)
    if (lines[at]!.trim() !== '') return lines[at]!;
  return '';
}

/** The heads of the blocks that a line stands in, by their indentation. */
function linesAround(lines: readonly string[], start: number, first: string): string[] {
  const found: string[] = [];
  let depth = indentOf(first);
  for (let at = start - 1; at >= Math.max(0, start - MOST_ABOVE) && depth > 0; at--) {
    const line = lines[at]!;
    if (line.trim() === '' || indentOf(line) >= depth) continue;
    depth = indentOf(line);
    // A closing bracket, as of a list of parameters, ends the head, which begins above it.
    if (/^\s*[)\]}]/.test(line)) depth++;
    else found.unshift(cut(line));
  }
  return found.slice(-MOST.within);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function cut(line: string): string {
  return line.trim().slice(0, MOST.chars);
}

function withoutEnd(line: string): string {
  return line.replace(/\r$/, '');
}
