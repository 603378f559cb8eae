import parseDiff from 'parse-diff';

/** One file of a patch. */
export interface PatchFile {
  /** Relative to the repository's root; the old path of a deleted file. */
  readonly path: string;
  readonly kind: 'added' | 'deleted' | 'modified';
  readonly linesAdded: number;
  readonly linesDeleted: number;
  readonly hunks: readonly PatchHunk[];
  /** Equal for two patches that change a file in the same way. */
  readonly identity: string;
}

/** A hunk of a file. */
export interface PatchHunk {
  /** Text after the line numbers of its header: the enclosing function. */
  readonly heading: string;
  readonly lines: readonly PatchLine[];
}

/** A line of a hunk. */
export interface PatchLine {
  readonly sign: '+' | '-' | ' ';
  /** 1-based line number in the old file; null for an added line. */
  readonly before: number | null;
  /** 1-based line number in the new file; null for a deleted line. */
  readonly after: number | null;
  readonly text: string;
}

/** Parses a unified diff; null for a malformed one. Never throws. */
export function parsePatch(text: string): readonly PatchFile[] | null {
  try {
    return parseDiff(text).map(toFile);
  } catch {
    return null;
  }
}

function toFile({ from = '', to = '', chunks, additions, deletions, ...rest }: parseDiff.File): PatchFile {
  const path = to === '/dev/null' || to === '' ? from : to;
  const hunks = chunks.map(toHunk);
  return {
    path: unquotePath(path),
    kind: rest.new === true ? 'added' : rest.deleted === true ? 'deleted' : 'modified',
    linesAdded: additions,
    linesDeleted: deletions,
    hunks,
    identity: JSON.stringify([path, rest.newMode ?? '', rest.index ?? '', hunks]),
  };
}

function toHunk({ content, changes }: parseDiff.Chunk): PatchHunk {
  const lines = changes
    .filter((change) => !change.content.startsWith('\\ No newline'))
    .map((change): PatchLine => {
      const text = change.content.slice(1).replace(/\r$/, '');
      if (change.type === 'add') return { sign: '+', before: null, after: change.ln, text };
      if (change.type === 'del') return { sign: '-', before: change.ln, after: null, text };
      return { sign: ' ', before: change.ln1, after: change.ln2, text };
    });
  return { heading: content.replace(/^@@[^@]*@@ ?/, ''), lines };
}

/** Decodes a path in which git wrote non-ASCII bytes in octal: `sp\303\244t.ts`. */
function unquotePath(path: string): string {
  if (!/\\\d{3}/.test(path)) return path;
  const bytes = path.replace(/\\(\d{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
