/** Equal lines at the beginning (`head`) and at the end (`tail`) of two lists of lines; they never overlap. */
export function countCommonLines(
  before: readonly string[],
  after: readonly string[],
): { readonly head: number; readonly tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { head, tail };
}

/** The lines of a text with their line ends; none for an empty text. */
export function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
