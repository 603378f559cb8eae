import type { Range } from './regions.ts';

/** A replacement in one text. */
export interface TextEdit {
  /** 0-based UTF-16 offset of the first replaced unit. */
  readonly start: number;
  /** Exclusive; equal to `start` for an insertion. */
  readonly end: number;
  readonly replacement: string;
}

/** A replacement in one file's text. */
export interface Edit extends TextEdit {
  /** Relative to the repository's root. */
  readonly file: string;
}

/** One proposed repair: edits that are tried together. */
export interface Candidate {
  /** Sorted by start, not overlapping, all in one file. */
  readonly edits: readonly Edit[];
  /** Name of the operator that proposed it, for example `comparison` or `swap-arguments`. */
  readonly operator: string;
  /** 1-based line of the first edit. */
  readonly line: number;
  /**
   * Identifies the edit across attempts and loops: `file: before → after @hash`. The hash covers the text of the
   * enclosing statement and not its line, so the signature survives edits elsewhere in the file.
   */
  readonly signature: string;
  /** How natural the edit is, 0..1, regardless of where the fault is suspected. */
  readonly prior: number;
}

/** `operator` of a candidate that puts back a text which a recent commit replaced. */
export const EARLIER_TEXT = 'earlier-text';

/** `operator` of a candidate that handles a missing value where a failing test met one. */
export const ABSENT_VALUE = 'absent-value';

/** The text with the edits applied. They are sorted by start and do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.replacement;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** A range's text with the edits applied; all of them lie inside it. */
export function editedRange(text: string, edits: readonly TextEdit[], { start, end }: Range): string {
  const local = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(text.slice(start, end), local);
}
