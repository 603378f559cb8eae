/** True where printed lines are as a page shows them: `…` alone is any lines, `…` in a line any text. */
export function isAsShown(shown: readonly string[], printed: readonly string[]): boolean {
  const pattern = shown.map((line) => line.trimEnd());
  while (pattern.at(-1) === '') pattern.pop();
  const lines = printed.map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return matches(pattern, lines);
}

function matches(pattern: readonly string[], lines: readonly string[]): boolean {
  // Which beginnings of `lines` the pattern so far can stand for.
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
