import parseDiff from 'parse-diff';

/** Consecutive changed lines of a unified diff. */
export interface LineEdit {
  /** Line of the new file at the change; 1-based. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** One hunk of a unified diff. */
export interface Hunk {
  /** Relative to the repository's root; the old path of a deleted file. */
  readonly file: string;
  /** First line of the new file that the hunk covers, context included; 1-based. */
  readonly start: number;
  /** Last line of the new file that the hunk covers. */
  readonly end: number;
  /** Line of the new file at the first change; 1-based. */
  readonly line: number;
  /** Removed lines without their `-`. */
  readonly removed: readonly string[];
  /** Added lines without their `+`. */
  readonly added: readonly string[];
  /** Lines of the new file that were added, 1-based and in the order of `added`. */
  readonly addedAt: readonly number[];
  /** True if the patch adds or deletes the whole file. */
  readonly isNewFile: boolean;
  readonly isDeletedFile: boolean;
  /** The changes between unchanged lines, in order. */
  readonly edits: readonly LineEdit[];
  /** True if no unchanged line is left around the change: the hunk is the file. */
  readonly isWhole: boolean;
  /** True if no unchanged line is between the changed ones: the hunk is one change. */
  readonly isOneChange: boolean;
}

/** The lines of a file before the edits of its hunks; undefined where the lines are not those that the hunks wrote. */
export function withoutEdits(lines: readonly string[], hunks: readonly Hunk[]): string[] | undefined {
  const before = [...lines];
  for (const { line, removed, added } of hunks.flatMap(({ edits }) => edits).reverse()) {
    const written = before.splice(line - 1, added.length, ...removed);
    if (written.join('\n') !== added.join('\n')) return undefined;
  }
  return before;
}

/** True for lines that all end differently before and after, as those of Windows and of Unix do. */
export function changesLineEnds({ removed, added }: Pick<Hunk, 'removed' | 'added'>): boolean {
  const isWindows = (line: string): boolean => line.endsWith('\r');
  if (removed.length === 0 || added.length === 0) return false;
  return (
    (added.every(isWindows) && !removed.some(isWindows)) ||
    (removed.every(isWindows) && !added.some(isWindows))
  );
}

/** The patch that was parsed last: several readers of one attempt parse the same one. */
let last:
  { readonly patch: string; readonly hunks: readonly Hunk[]; readonly files: readonly string[] } | undefined;

/** Hunks of a unified diff as git writes it; binary files and renames without changes have none. Empty if malformed. */
export function parseHunks(patch: string): readonly Hunk[] {
  return parseOnce(patch).hunks;
}

/** Files that a unified diff changes, binary ones and renames included. */
export function changedFiles(patch: string): readonly string[] {
  return parseOnce(patch).files;
}

function parseOnce(patch: string): NonNullable<typeof last> {
  if (last?.patch === patch) return last;
  const hunks = parse(patch).flatMap(({ from = '', to = '', chunks, new: isNew, deleted }) => {
    const file = to === '' || to === '/dev/null' ? from : to;
    const whole = { isNewFile: isNew === true, isDeletedFile: deleted === true };
    return chunks.map((chunk) => ({ ...toHunk(file, chunk), ...whole }));
  });
  const headers = [...patch.matchAll(/^diff --git "?a\/.+? "?b\/(.+?)"?$/gm)].map((match) => match[1]!);
  last = { patch, hunks, files: [...new Set([...headers, ...hunks.map(({ file }) => file)])] };
  return last;
}

/** parse-diff throws for a `\ No newline` line without a line before it. */
function parse(patch: string): parseDiff.File[] {
  try {
    return parseDiff(patch);
  } catch {
    return [];
  }
}

function toHunk(
  file: string,
  { newStart, newLines, changes }: parseDiff.Chunk,
): Omit<Hunk, 'isNewFile' | 'isDeletedFile'> {
  const lines = changes.filter(({ content }) => !content.startsWith('\\'));
  const first = lines.findIndex(({ type }) => type !== 'normal');
  const texts = (type: 'add' | 'del'): string[] =>
    lines.filter((change) => change.type === type).map(({ content }) => content.slice(1));
  const edits = editsOf(lines, newStart);
  return {
    file,
    start: Math.max(1, newStart),
    end: Math.max(1, newStart, newStart + newLines - 1),
    line: Math.max(1, newStart + Math.max(0, first)),
    removed: texts('del'),
    added: texts('add'),
    edits,
    isWhole: lines.every(({ type }) => type !== 'normal'),
    isOneChange: edits.length === 1,
    addedAt: lines.flatMap((change) => (change.type === 'add' ? [change.ln] : [])),
  };
}

function editsOf(lines: readonly parseDiff.Change[], newStart: number): LineEdit[] {
  const edits: { line: number; removed: string[]; added: string[] }[] = [];
  let [line, isOpen] = [newStart, false];
  for (const { type, content } of lines) {
    if (type === 'normal') {
      isOpen = false;
      line++;
      continue;
    }
    if (!isOpen) edits.push({ line: Math.max(1, line), removed: [], added: [] });
    isOpen = true;
    edits.at(-1)![type === 'add' ? 'added' : 'removed'].push(content.slice(1));
    if (type === 'add') line++;
  }
  return edits;
}
