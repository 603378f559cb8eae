/** The distance of a line to the nearest one of the given lines, in any order; Infinity if there are none. */
export function distanceTo(lines: readonly number[]): (line: number) => number {
  const sorted = Float64Array.from(lines).sort();
  return (line) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < line) low = middle + 1;
      else high = middle;
    }
    const [below, above] = [sorted[low - 1] ?? -Infinity, sorted[low] ?? Infinity];
    return Math.min(line - below, above - line);
  };
}
