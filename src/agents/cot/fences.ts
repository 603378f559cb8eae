/** The line that opens a fenced block. */
export interface Fence {
  /** At least three backticks or tildes. */
  readonly marks: string;
  /** The white space before the fence, as in a list; the lines inside have it too. */
  readonly indent: string;
  /** The info string: a language, sometimes a path. */
  readonly info: string;
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})([^`]*)$/;

/** The fence on a line; undefined for any other line. */
export function fenceOn(line: string): Fence | undefined {
  const [, indent, marks, info] = FENCE.exec(line) ?? [];
  return marks === undefined ? undefined : { marks, indent: indent!, info: info!.trim() };
}

/** Whether a line closes a fence: the same character, at least as often, without info (CommonMark 0.31, §4.5). */
export function closesFence(line: string, { marks }: Fence): boolean {
  const fence = fenceOn(line);
  return fence !== undefined && fence.info === '' && fence.marks.startsWith(marks);
}

/**
 * The index of the line that closes the fence at `start`; -1 if none does. With `nested`, inner fences with an info
 * string are skipped, as in Markdown whose outer fence is not longer than the inner ones.
 */
export function endOfFence(lines: readonly string[], start: number, fence: Fence, nested = false): number {
  let inner: Fence | undefined;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (inner !== undefined) {
      if (closesFence(line, inner)) inner = undefined;
      continue;
    }
    if (closesFence(line, fence)) return at;
    const opened = nested ? fenceOn(line) : undefined;
    if (opened !== undefined && opened.info !== '') inner = opened;
  }
  return -1;
}

/** The lines without `indent`; unchanged if a line that is not blank lacks it. */
export function withoutIndent(lines: readonly string[], indent: string): readonly string[] {
  const all = lines.every((line) => line.startsWith(indent) || line.trim() === '');
  return indent === '' || !all ? lines : lines.map((line) => line.slice(indent.length));
}
