import type { Edit } from './edit.ts';
import { startOf, type ParsedSource } from './parse.ts';

/** Text put before and after a range of a file, the text in between left as it is. Either side may be empty. */
export interface Wrapping {
  /** 0-based UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

interface Piece {
  readonly at: number;
  readonly text: string;
  readonly closes: boolean;
  readonly span: number;
  readonly order: number;
}

/**
 * The text with every wrapping in place. Ranges nest or are apart; of two with the same range the first given is
 * the outer one.
 */
export function wrapRanges(text: string, wrappings: readonly Wrapping[]): string {
  let result = '';
  let from = 0;
  for (const { at, text: piece } of wrappings.flatMap(piecesOf).sort(byPlace)) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}

/** A wrapping as the edits that make it, for use beside other edits. */
export function editsOf(file: string, { start, end, before, after }: Wrapping): Edit[] {
  const edits = [
    { file, start, end: start, replacement: before },
    { file, start: end, end, replacement: after },
  ];
  return edits.filter(({ replacement }) => replacement !== '');
}

/**
 * Keeps a type checker out of instrumented text. After the comments at the head of the file, which may
 * configure the test runner, and before the first token.
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

/** At one place: what ends there first, inner before outer; then what begins there, outer before inner. */
function byPlace(a: Piece, b: Piece): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.closes !== b.closes) return a.closes ? -1 : 1;
  if (a.span !== b.span) return a.closes ? a.span - b.span : b.span - a.span;
  return a.closes ? b.order - a.order : a.order - b.order;
}
