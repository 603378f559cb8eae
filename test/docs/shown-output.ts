/**
 * True if printed lines match those that a page shows: a line `…` stands for any lines, `…` in a line for any text. White
 * space at the end of lines and empty lines at the end do not count.
 */
export function matchesShown(shown: readonly string[], printed: readonly string[]): boolean {
  const pattern = shown.map((line) => line.trimEnd());
  while (pattern.at(-1) === '') pattern.pop();
  const lines = printed.map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return matches(pattern, lines);
}

function matches(pattern: readonly string[], lines: readonly string[]): boolean {
  // Numbers of leading lines that the pattern so far can match.
  let reached = new Set([0]);
  for (const line of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (line === '…') for (let to = at; to <= lines.length; to++) next.add(to);
      else if (at < lines.length && asPattern(line).test(lines[at]!)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(lines.length);
}

function asPattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
