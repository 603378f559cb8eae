/** One run of changed lines in a unified diff. */
export interface Hunk {
  /** Relative to the repository's root; the old path where the file was deleted. */
  readonly file: string;
  /** 1-based lines of the new file that the hunk covers, context included. */
  readonly start: number;
  readonly end: number;
  /** 1-based line of the new file where the first change is. */
  readonly line: number;
  /** Changed lines without their marks. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const HEADER = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

/** Hunks of a unified diff as git writes it; binary files and renames without changes have none. */
export function parseHunks(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let file = '';
  let open: OpenHunk | undefined;
  const close = (): void => {
    if (open !== undefined) hunks.push(finish(open));
    open = undefined;
  };
  for (const line of patch.split('\n')) {
    const header = HEADER.exec(line);
    if (header !== null) {
      close();
      open = begin(file, Number(header[1]), Number(header[2] ?? 1));
    } else if (open !== undefined && !isComplete(open, line)) take(open, line);
    else {
      close();
      file = fileOf(line) ?? file;
    }
  }
  close();
  return hunks;
}

interface OpenHunk {
  readonly file: string;
  readonly start: number;
  readonly length: number;
  readonly removed: string[];
  readonly added: string[];
  at: number;
  line: number | undefined;
}

function begin(file: string, start: number, length: number): OpenHunk {
  return { file, start, length, removed: [], added: [], at: start, line: undefined };
}

/** A line that starts like a header may also be a removed line: `--- x` removes `-- x`. */
function isComplete(hunk: OpenHunk, line: string): boolean {
  return hunk.at >= hunk.start + hunk.length && !/^[-\\]/.test(line) ? true : /^diff --git /.test(line);
}

function take(hunk: OpenHunk, line: string): void {
  if (line.startsWith('-')) {
    hunk.removed.push(line.slice(1));
    hunk.line ??= hunk.at;
  } else if (line.startsWith('+')) {
    hunk.added.push(line.slice(1));
    hunk.line ??= hunk.at;
    hunk.at++;
  } else if (!line.startsWith('\\')) hunk.at++;
}

function finish({ file, start, length, removed, added, line }: OpenHunk): Hunk {
  const first = Math.max(1, start);
  return {
    file,
    start: first,
    end: Math.max(first, start + length - 1),
    line: Math.max(1, line ?? first),
    removed,
    added,
  };
}

function fileOf(line: string): string | undefined {
  const path = /^(?:\+\+\+|---) "?(?:[ab]\/)?(.+?)"?\t?$/.exec(line)?.[1];
  return path === undefined || path === '/dev/null' ? undefined : path;
}
