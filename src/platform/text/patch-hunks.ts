import parseDiff from 'parse-diff';

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
  /** True if no unchanged line is between the changed ones: the hunk is one change. */
  readonly isOneChange: boolean;
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
  const hunks = parse(patch).flatMap(({ from = '', to = '', chunks }) => {
    const file = to === '' || to === '/dev/null' ? from : to;
    return chunks.map((chunk) => toHunk(file, chunk));
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

function toHunk(file: string, { newStart, newLines, changes }: parseDiff.Chunk): Hunk {
  const lines = changes.filter(({ content }) => !content.startsWith('\\'));
  const first = lines.findIndex(({ type }) => type !== 'normal');
  const texts = (type: 'add' | 'del'): string[] =>
    lines.filter((change) => change.type === type).map(({ content }) => content.slice(1));
  return {
    file,
    start: Math.max(1, newStart),
    end: Math.max(1, newStart, newStart + newLines - 1),
    line: Math.max(1, newStart + Math.max(0, first)),
    removed: texts('del'),
    added: texts('add'),
    isOneChange: !lines
      .slice(first, lines.findLastIndex(({ type }) => type !== 'normal') + 1)
      .some(({ type }) => type === 'normal'),
    addedAt: lines.flatMap((change) => (change.type === 'add' ? [change.ln] : [])),
  };
}
