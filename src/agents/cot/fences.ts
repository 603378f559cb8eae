/** The line that opens a fenced block. */
export interface Fence {
  /** Backticks or tildes, three at least. */
  readonly marks: string;
  /** White space before it, as in a list; the lines inside have it too. */
  readonly indent: string;
  /** What stands behind the marks: a language, at times a path. */
  readonly info: string;
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})([^`]*)$/;

/** The fence that a line opens, or closes where it has no info; undefined for every other line. */
export function fenceOn(line: string): Fence | undefined {
  const [, indent, marks, info] = FENCE.exec(line) ?? [];
  return marks === undefined ? undefined : { marks, indent: indent!, info: info!.trim() };
}

/** Whether a line closes a fence: the same sign, at least as often, and nothing behind it (CommonMark 0.31, §4.5). */
export function closesFence(line: string, { marks }: Fence): boolean {
  const fence = fenceOn(line);
  return fence !== undefined && fence.info === '' && fence.marks.startsWith(marks);
}

/**
 * Index of the line that closes the fence at `start`; -1 where none does. With `nested`, blocks inside that name
 * a language are passed over, as in Markdown whose writer forgot to make the outer fence longer.
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

/** Lines without the indentation that the line before them has; blank ones may lack it. */
export function withoutIndent(lines: readonly string[], indent: string): readonly string[] {
  const all = lines.every((line) => line.startsWith(indent) || line.trim() === '');
  return indent === '' || !all ? lines : lines.map((line) => line.slice(indent.length));
}
