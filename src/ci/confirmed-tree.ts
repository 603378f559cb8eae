/** The tree that `ralph ci verify` confirmed. */
export interface ConfirmedTree {
  /** Git id. */
  readonly id: string;
  /** Positions of the files of the patch, in the order of git, that are not part of the tree. */
  readonly leftOut: readonly number[];
}

/** The id of a tree of SHA-1 or SHA-256, and positions: `<id>.0.2`. */
const TEXT = /^([0-9a-f]{40}|[0-9a-f]{64})((?:\.(?:0|[1-9]\d{0,2})){0,100})$/;

/** Undefined if a text is no tree. */
export function parseConfirmedTree(text: string): ConfirmedTree | undefined {
  const [, id, positions = ''] = TEXT.exec(text) ?? [];
  return id === undefined ? undefined : { id, leftOut: positions.split('.').slice(1).map(Number) };
}

/** One word, as the output of one job and the input of another. */
export function renderConfirmedTree({ id, leftOut }: ConfirmedTree): string {
  return [id, ...leftOut].join('.');
}
