import type { Edit } from './edit.ts';
import { startOf, type ParsedSource } from './parse.ts';

/** Texts to insert before and after a range of a file; either may be empty. */
export interface Wrapping {
  /** 0-based UTF-16 offset. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** One of the two insertions of a wrapping. */
interface Piece {
  readonly at: number;
  readonly text: string;
  readonly closes: boolean;
  readonly span: number;
  readonly order: number;
}

/** Applies the wrappings. Ranges nest or are disjoint; of two equal ranges the first in the list is the outer one. */
export function wrapRanges(text: string, wrappings: readonly Wrapping[]): string {
  let result = '';
  let from = 0;
  for (const { at, text: piece } of wrappings.flatMap(piecesOf).sort(byPlace)) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}

/** The wrapping's insertions as edits. */
export function editsOf(file: string, { start, end, before, after }: Wrapping): Edit[] {
  const edits = [
    { file, start, end: start, replacement: before },
    { file, start: end, end, replacement: after },
  ];
  return edits.filter(({ replacement }) => replacement !== '');
}

/**
 * Inserts `@ts-nocheck`, because instrumented text has type errors. It goes before the first token and after leading
 * comments, which may configure the test runner.
 */
export function uncheckTypes({ tree }: ParsedSource): Wrapping {
  const { directives, body, interpreter } = tree.program;
  const first = directives[0] ?? body[0];
  const start = first === undefined || first === null ? (interpreter?.end ?? 0) : startOf(first);
  return { start, end: start, before: '\n// @ts-nocheck\n', after: '' };
}

function piecesOf({ start, end, before, after }: Wrapping, order: number): Piece[] {
  const span = end - start;
  return [
    { at: start, text: before, closes: false, span, order },
    { at: end, text: after, closes: true, span, order },
  ].filter(({ text }) => text !== '');
}

/** At one offset: closing texts first, inner before outer; then opening texts, outer before inner. */
function byPlace(a: Piece, b: Piece): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.closes !== b.closes) return a.closes ? -1 : 1;
  if (a.span !== b.span) return a.closes ? a.span - b.span : b.span - a.span;
  return a.closes ? b.order - a.order : a.order - b.order;
}
