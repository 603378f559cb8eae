/** A replacement in one file's text. */
export interface Edit {
  /** Relative to the repository's root. */
  readonly file: string;
  /** 0-based UTF-16 offset of the first replaced unit; `end` is exclusive; equal for an insertion. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** One proposed repair: edits that are tried together. */
export interface Candidate {
  /** Sorted by start, not overlapping, all in one file. */
  readonly edits: readonly Edit[];
  /** Which operator proposed it, for example `comparison` or `swap-arguments`. */
  readonly operator: string;
  /** 1-based line of the first edit. */
  readonly line: number;
  /**
   * The same edit in the same place, across attempts and loops: `file: before → after @hash`, where the hash
   * covers the enclosing statement's text, so that it stays true when lines move.
   */
  readonly signature: string;
  /** How natural the edit is, 0..1, before any suspicion of its place. */
  readonly prior: number;
}

/** The file's text with the edits in place. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.replacement;
    at = edit.end;
  }
  return result + text.slice(at);
}
