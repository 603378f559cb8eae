/** The tree that `ralph ci verify` confirmed. */
export interface ConfirmedTree {
  /** Git id. */
  readonly id: string;
  /** Positions of the files of the patch, in the order of git, that are not part of the tree. */
  readonly leftOut: readonly number[];
  /** True if nobody could try whether each changed block is needed. Default false. */
  readonly isUntried?: boolean;
}

/** The id of a tree of SHA-1 or SHA-256, positions, and the mark of a tree whose blocks were not tried: `<id>.0.2-untried`. */
const TEXT = /^([0-9a-f]{40}|[0-9a-f]{64})((?:\.(?:0|[1-9]\d{0,2})){0,100})(-untried)?$/;

/** Undefined if a text is no tree. */
export function parseConfirmedTree(text: string): ConfirmedTree | undefined {
  const [, id, positions = '', mark] = TEXT.exec(text) ?? [];
  if (id === undefined) return undefined;
  const leftOut = positions.split('.').slice(1).map(Number);
  return { id, leftOut, ...(mark !== undefined && { isUntried: true }) };
}

/** One word, as the output of one job and the input of another. */
export function renderConfirmedTree({ id, leftOut, isUntried = false }: ConfirmedTree): string {
  return `${[id, ...leftOut].join('.')}${isUntried ? '-untried' : ''}`;
}
