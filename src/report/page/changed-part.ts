import type { PatchLine } from './patch.ts';

/** The part of a line that differs from its counterpart: first column and the one behind the last, 0-based. */
export interface ChangedPart {
  readonly start: number;
  readonly end: number;
}

/** Lines that have less than this share in common were written anew. */
const LEAST_COMMON = 0.35;

/**
 * For each line of a hunk the part that changed, where it was changed and not written anew: deleted lines are compared
 * with as many added ones right behind them, one by one.
 */
export function changedParts(lines: readonly PatchLine[]): readonly (ChangedPart | null)[] {
  const parts: (ChangedPart | null)[] = lines.map(() => null);
  for (let start = 0; start < lines.length;) {
    const deleted = runLength(lines, start, '-');
    const added = runLength(lines, start + deleted, '+');
    if (deleted > 0 && deleted === added) {
      for (let index = start; index < start + deleted; index++) {
        const [before, after] = [lines[index]!.text, lines[index + deleted]!.text];
        const [one, two] = differing(before, after) ?? [null, null];
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

function differing(before: string, after: string): [ChangedPart, ChangedPart] | undefined {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (head + tail < LEAST_COMMON * Math.max(before.trim().length, after.trim().length)) return undefined;
  return [
    { start: head, end: before.length - tail },
    { start: head, end: after.length - tail },
  ];
}
