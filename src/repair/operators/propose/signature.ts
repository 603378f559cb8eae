import { createHash } from 'node:crypto';
import { editedRange, type TextEdit } from '../../syntax/edit.ts';
import type { Range } from '../../syntax/regions.ts';

const MAX_SIDE_CHARS = 120;
const MAX_FILE_CHARS = 200;

/** Parts of a candidate that its signature is made from. */
export interface SignatureInput {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly text: string;
  readonly edits: readonly TextEdit[];
  /** Range that is printed before and after the arrow; contains all edits. */
  readonly shown: Range;
  /** Range of the enclosing statement. */
  readonly statement: Range;
  /** Number of statements with the same text earlier in the file. */
  readonly occurrence: number;
}

/**
 * `file: before → after @hash`, at most 500 characters. The hash covers the enclosing statement's text, its
 * occurrence among equal statements and the edits relative to its start, so it does not depend on line numbers.
 */
export function signatureOf({ file, text, edits, shown, statement, occurrence }: SignatureInput): string {
  const before = text.slice(shown.start, shown.end);
  const after = editedRange(text, edits, shown);
  const hash = createHash('sha256');
  hash.update(`${text.slice(statement.start, statement.end)}\0${occurrence}`);
  for (const { start, end, replacement } of edits) {
    hash.update(`\0${start - statement.start}\0${end - statement.start}\0${replacement}`);
  }
  const digest = hash.digest('hex').slice(0, 10);
  return `${file.slice(-MAX_FILE_CHARS)}: ${onOneLine(before)} → ${onOneLine(after)} @${digest}`;
}

function onOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '(nothing)';
  return line.length > MAX_SIDE_CHARS ? `${line.slice(0, MAX_SIDE_CHARS - 1)}…` : line;
}
