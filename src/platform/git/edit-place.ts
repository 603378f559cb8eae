import { redact } from '../redaction/redact.ts';
import { parseHunks } from '../text/patch-hunks.ts';

/**
 * The place of an edit among the lines of its file before the edit. Equal lines of a file are told apart by it, and it stays the
 * same where lines are added elsewhere in the file, which a line number does not.
 */
export interface EditPlace {
  /** The less indented lines around the edit, such as the head of its function, outermost first; trimmed, redacted and cut. */
  readonly within: readonly string[];
  /** The nearest lines with text before and after the edit; trimmed, redacted and cut, empty at an end of the file. */
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
/** Places with the same lines beside them that are compared; among more, an edit has no place. */
const MOST_PLACES = 500;

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
  const file = new FileLines(before);
  const wanted = removed.map((line) => line.trim());
  const isAlike = (start: number): boolean =>
    wanted.every((line, index) => file.trimmed[start + index] === line);
  // Lines that were only added could stand in any gap of the file.
  const alike = [...before.keys(), before.length].filter(isAlike);
  const here = file.around(at, removed.length);
  const beside = alike.filter((start) => isSameBeside(file.beside(start, removed.length), here));
  if (beside.length > MOST_PLACES) return undefined;
  const same = beside.filter((start) => isSameAround(file.around(start, removed.length), here));
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

type Beside = Pick<EditPlace, 'above' | 'below'>;
type Around = Pick<EditPlace, 'within'> & Beside;

function isSameBeside(one: Beside, other: Beside): boolean {
  return one.above === other.above && one.below === other.below;
}

function isSameAround(one: Around, other: Around): boolean {
  return (
    isSameBeside(one, other) &&
    one.within.length === other.within.length &&
    one.within.every((line, index) => line === other.within[index])
  );
}

/** The lines of a file, with what is asked of each of them again and again. */
class FileLines {
  readonly trimmed: readonly string[];
  readonly #indents: readonly number[];
  /** For each gap between lines, the nearest line with text above and below it; -1 where there is none. */
  readonly #above: readonly number[];
  readonly #below: readonly number[];
  readonly #stored = new Map<string, string>();

  constructor(lines: readonly string[]) {
    this.trimmed = lines.map((line) => line.trim());
    this.#indents = lines.map((line) => line.length - line.trimStart().length);
    const above = [-1];
    const below = [-1];
    for (const [at, line] of this.trimmed.entries()) above.push(line === '' ? above[at]! : at);
    for (const [count, line] of this.trimmed.toReversed().entries())
      below.push(line === '' ? below[count]! : lines.length - 1 - count);
    this.#above = above;
    this.#below = below.reverse();
  }

  /** The lines around `length` lines from `start` on. */
  around(start: number, length: number): Around {
    return { within: this.#within(start), ...this.beside(start, length) };
  }

  beside(start: number, length: number): Beside {
    return {
      above: this.#storedAt(this.#above[start]!),
      below: this.#storedAt(this.#below[start + length] ?? -1),
    };
  }

  /** The heads of the blocks that a line stands in, by their indentation. */
  #within(start: number): string[] {
    const found: number[] = [];
    let depth = this.#indents[this.#below[start]!] ?? 0;
    for (let at = start - 1; at >= Math.max(0, start - MOST_ABOVE) && depth > 0; at--) {
      const line = this.trimmed[at]!;
      if (line === '' || this.#indents[at]! >= depth) continue;
      depth = this.#indents[at]!;
      // A closing bracket, as of a list of parameters, ends the head, which begins above it.
      if (/^[)\]}]/.test(line)) depth++;
      else found.unshift(at);
    }
    return found.slice(-MOST.within).map((at) => this.#storedAt(at));
  }

  /** A line without secrets, cut: half of a secret could not be told from other text. */
  #storedAt(at: number): string {
    const line = this.trimmed[at];
    if (line === undefined) return '';
    const stored = this.#stored.get(line) ?? redact(line).slice(0, MOST.chars);
    this.#stored.set(line, stored);
    return stored;
  }
}

function withoutEnd(line: string): string {
  return line.replace(/\r$/, '');
}
