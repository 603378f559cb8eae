const LINE_CHARS = 160;

/** The first line in which two texts differ, as a clause; undefined if they are equal. */
export function describeDifference(recorded: string, now: string): string | undefined {
  if (recorded === now) return undefined;
  const [before, after] = [recorded.split('\n'), now.split('\n')];
  const at = before.findIndex((line, index) => line !== after[index]);
  const index = at === -1 ? before.length : at;
  return `at line ${index + 1}: recorded ${quoted(before[index])}, now ${quoted(after[index])}`;
}

function quoted(line: string | undefined): string {
  return line === undefined ? 'nothing' : JSON.stringify(line.slice(0, LINE_CHARS));
}
