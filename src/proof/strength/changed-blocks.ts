/** Neighbouring lines of one file that the change replaced, added or removed. */
export interface ChangedBlock {
  /** Relative to the root. */
  readonly file: string;
  /** First line of the block in the result, 1-based; where lines were only removed, the line that follows them. */
  readonly line: number;
  /** Lines of the block in the result; 0 where lines were only removed. */
  readonly lines: number;
  /** Lines of the base, without their line ends. */
  readonly before: readonly string[];
}

const HUNK_START = /^@@ /m;
const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

/**
 * The changed blocks of a unified diff by git, in the order of the diff. A hunk's context separates its blocks.
 * Deleted, binary and renamed files have none.
 */
export function changedBlocks(patch: string): ChangedBlock[] {
  const blocks: ChangedBlock[] = [];
  let file: string | undefined;
  let inHunk = false;
  let at = 0;
  let open: { line: number; lines: number; before: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined && file !== undefined) blocks.push({ file, ...open });
    open = undefined;
  };
  for (const line of patch.split('\n')) {
    const hunk = HUNK.exec(line);
    if (line.startsWith('diff --git ') || hunk !== null) close();
    if (line.startsWith('diff --git ')) {
      file = undefined;
      inHunk = false;
    } else if (hunk !== null) {
      inHunk = true;
      at = Number(hunk[1]) + (hunk[2] === '0' ? 1 : 0);
    } else if (!inHunk) {
      if (line.startsWith('+++ ')) file = pathOf(line.slice(4));
    } else if (line.startsWith('+') || line.startsWith('-')) {
      open ??= { line: at, lines: 0, before: [] };
      if (line.startsWith('-')) open.before.push(line.slice(1));
      else {
        open.lines++;
        at++;
      }
    } else if (line.startsWith(' ')) {
      close();
      at++;
    }
  }
  close();
  return blocks;
}

/** The texts of the files that the diff deletes, by their paths. */
export function removedFiles(patch: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const part of patch.split(/^(?=diff --git )/m)) {
    const name = /^--- (.+)\n\+\+\+ \/dev\/null$/m.exec(part)?.[1];
    const path = name === undefined ? undefined : pathOf(name);
    const lines = part.slice(part.search(HUNK_START)).split('\n').slice(1);
    const removed = lines.flatMap((line) => (line.startsWith('-') ? [`${line.slice(1)}\n`] : []));
    if (path !== undefined) files.set(path, removed.join(''));
  }
  return files;
}

/** `b/src/a.js` → `src/a.js`; undefined for `/dev/null`. Git quotes unusual names as C strings. */
function pathOf(name: string): string | undefined {
  const bare = name.replace(/\t$/, '');
  if (bare === '/dev/null') return undefined;
  return (bare.startsWith('"') ? unquoted(bare) : bare).replace(/^[ab]\//, '');
}

function unquoted(name: string): string {
  const bytes: number[] = [];
  for (const [piece, escape] of name.slice(1, -1).matchAll(/\\([0-7]{3}|.)|[^\\]+/gs)) {
    if (escape === undefined) bytes.push(...Buffer.from(piece));
    else if (/^[0-7]{3}$/.test(escape)) bytes.push(parseInt(escape, 8));
    else bytes.push(...Buffer.from(ESCAPES[escape] ?? escape));
  }
  return Buffer.from(bytes).toString('utf8');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
