import { createHash } from 'node:crypto';
import type { TextEdit } from './operator.ts';
import type { Range } from '../syntax/functions.ts';
import { applyEdits } from '../syntax/edit.ts';

const SIDE_LIMIT = 120;
const FILE_LIMIT = 200;

export interface SignatureInput {
  readonly file: string;
  readonly text: string;
  readonly edits: readonly TextEdit[];
  /** What is shown before and after the arrow; holds all edits. */
  readonly shown: Range;
  /** The enclosing statement. */
  readonly statement: Range;
  /** How many statements with the same text stand before this one in the file. */
  readonly occurrence: number;
}

/**
 * `file: before → after @hash`, at most 500 characters. The hash covers the enclosing statement's text, which
 * of several equal statements it is, and the edits' places within it: it stays true when lines move.
 */
export function signatureOf({ file, text, edits, shown, statement, occurrence }: SignatureInput): string {
  const before = text.slice(shown.start, shown.end);
  const after = editedRange(text, edits, shown);
  const hash = createHash('sha256');
  hash.update(`${text.slice(statement.start, statement.end)}\0${occurrence}`);
  for (const { start, end, replacement } of edits) {
    hash.update(`\0${start - statement.start}\0${end - statement.start}\0${replacement}`);
  }
  return `${file.slice(-FILE_LIMIT)}: ${side(before)} → ${side(after)} @${hash.digest('hex').slice(0, 10)}`;
}

/** A range's text with the edits in it applied. */
export function editedRange(text: string, edits: readonly TextEdit[], { start, end }: Range): string {
  const local = edits.map((edit) => ({
    file: '',
    start: edit.start - start,
    end: edit.end - start,
    replacement: edit.replacement,
  }));
  return applyEdits(text.slice(start, end), local);
}

function side(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '(nothing)';
  return line.length > SIDE_LIMIT ? `${line.slice(0, SIDE_LIMIT - 1)}…` : line;
}
