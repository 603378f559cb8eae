export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** Cells of the table of common lines; above it, what is left between equal head and tail counts as changed. */
const MAX_CELLS = 1_000_000;

/** Lines added and deleted between two texts, as a diff counts them. */
export function countChangedLines(before: string, after: string): LineCounts {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const oldPart = old.slice(head, old.length - tail);
  const newPart = now.slice(head, now.length - tail);
  const common = oldPart.length * newPart.length > MAX_CELLS ? 0 : countCommon(oldPart, newPart);
  return { additions: newPart.length - common, deletions: oldPart.length - common };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Length of the longest common subsequence. */
function countCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const line of a) {
    const next = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      next[j] = line === b[j - 1] ? row[j - 1]! + 1 : Math.max(row[j]!, next[j - 1]!);
    }
    row = next;
  }
  return row[b.length]!;
}
