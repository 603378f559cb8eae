/** The tree that `ralph ci verify` confirmed. */
export interface ConfirmedTree {
  /** Git id. */
  readonly id: string;
  /** Positions of the files of the patch, in the order of git, that are not part of the tree. */
  readonly leftOut: readonly number[];
  /** True if nobody could try whether each changed block is needed. Default false. */
  readonly isUntried?: boolean;
  /** Changed lines that no test runs, in the files that are part of the tree. */
  readonly unrun?: readonly UnrunLines[];
}

/** Lines that no test runs, 1-based. */
export interface UnrunLines {
  /** Position of their file among the changed files of the tree, in the order of git. */
  readonly file: number;
  readonly first: number;
  readonly last: number;
}

const MAX_UNRUN = 20;

/**
 * The id of a tree of SHA-1 or SHA-256, positions, the mark of a tree whose blocks were not tried, and lines that no test runs:
 * `<id>.0.2-untried-unrun.0_12_14`.
 */
const TEXT =
  /^([0-9a-f]{40}|[0-9a-f]{64})((?:\.(?:0|[1-9]\d{0,2})){0,100})(-untried)?(?:-unrun((?:\.\d{1,3}_\d{1,7}_\d{1,7}){1,20}))?$/;

/** Undefined if a text is no tree. */
export function parseConfirmedTree(text: string): ConfirmedTree | undefined {
  const [, id, positions = '', mark, lines = ''] = TEXT.exec(text) ?? [];
  if (id === undefined) return undefined;
  const leftOut = positions.split('.').slice(1).map(Number);
  const unrun = lines
    .split('.')
    .slice(1)
    .map((it): UnrunLines => {
      const [file, first, last] = it.split('_').map(Number);
      return { file: file!, first: first!, last: last! };
    });
  return { id, leftOut, ...(mark !== undefined && { isUntried: true }), ...(unrun.length > 0 && { unrun }) };
}

/** One word, as the output of one job and the input of another. The first lines that no test runs are named. */
export function renderConfirmedTree({ id, leftOut, isUntried = false, unrun = [] }: ConfirmedTree): string {
  const lines = unrun.slice(0, MAX_UNRUN).map(({ file, first, last }) => `.${file}_${first}_${last}`);
  const unrunText = lines.length === 0 ? '' : `-unrun${lines.join('')}`;
  return `${[id, ...leftOut].join('.')}${isUntried ? '-untried' : ''}${unrunText}`;
}

/** Lines that follow each other as one entry; lines of other files than those of the tree are left out. */
export function unrunIn(
  files: readonly string[],
  lines: readonly { readonly file: string; readonly line: number }[],
): UnrunLines[] {
  const found: { file: number; first: number; last: number }[] = [];
  const placed = lines
    .map(({ file, line }) => ({ file: files.indexOf(file), line }))
    .sort((a, b) => a.file - b.file || a.line - b.line);
  for (const { file, line } of placed) {
    if (file < 0) continue;
    const before = found.at(-1);
    if (before?.file === file && before.last + 1 >= line) before.last = line;
    else found.push({ file, first: line, last: line });
  }
  return found;
}
