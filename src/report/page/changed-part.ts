import type { PatchLine } from './patch.ts';

/** The part of a line that differs from its counterpart; columns are 0-based, `end` is exclusive. */
export interface ChangedPart {
  readonly start: number;
  readonly end: number;
}

/** Lines with a smaller common share count as rewritten. */
const MIN_COMMON = 0.35;

/**
 * Finds the changed part of each line of a hunk; null for unchanged and rewritten lines. A run of deleted lines is
 * compared, line by line, with an equally long run of added lines after it.
 */
export function changedParts(lines: readonly PatchLine[]): readonly (ChangedPart | null)[] {
  const parts: (ChangedPart | null)[] = lines.map(() => null);
  for (let start = 0; start < lines.length;) {
    const deleted = runLength(lines, start, '-');
    const added = runLength(lines, start + deleted, '+');
    if (deleted > 0 && deleted === added) {
      for (let index = start; index < start + deleted; index++) {
        const [before, after] = [lines[index]!.text, lines[index + deleted]!.text];
        const [one, two] = compareLines(before, after) ?? [null, null];
        parts[index] = one;
        parts[index + deleted] = two;
      }
    }
    start += Math.max(1, deleted + added);
  }
  return parts;
}

function runLength(lines: readonly PatchLine[], start: number, sign: PatchLine['sign']): number {
  let length = 0;
  while (lines[start + length]?.sign === sign) length++;
  return length;
}

function compareLines(before: string, after: string): [ChangedPart, ChangedPart] | undefined {
  const max = Math.min(before.length, after.length);
  let head = 0;
  while (head < max && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < max - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (head + tail < MIN_COMMON * Math.max(before.trim().length, after.trim().length)) return undefined;
  return [
    { start: head, end: before.length - tail },
    { start: head, end: after.length - tail },
  ];
}
