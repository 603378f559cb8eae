/** Whether one text may be a misspelling of the other: an edit distance of at most a quarter of the longer length. */
export function isNearby(a: string, b: string): boolean {
  const limit = Math.max(1, Math.floor(Math.max(a.length, b.length) / 4));
  return Math.abs(a.length - b.length) <= limit && distance(a, b) <= limit;
}

/** Levenshtein distance: insertions, deletions and replacements of single characters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
