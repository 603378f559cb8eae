import type { Comment } from '@babel/types';
import type { CommentKind } from './kinds.ts';

/** Comments about one line: the next one, or their own. */
export const ONE_LINE = /^[\s*/]*@ts-(ignore|expect-error)\b|^\s*eslint-disable-(next-)?line\b/m;

/** Comments of a text that no parser reads: for code that has others, a comment may stand where it means nothing. */
export function commentsIn(text: string): Comment[] {
  return [...text.matchAll(/\/\/(.*)|\/\*([^]*?)\*\//g)].map((match) => {
    const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
    const loc = {
      start: { line: lineOf(match.index) },
      end: { line: lineOf(match.index + match[0].length) },
    };
    const isLine = match[1] !== undefined;
    return { type: isLine ? 'CommentLine' : 'CommentBlock', value: match[1] ?? match[2], loc } as Comment;
  });
}

/** A JSDoc cast or annotation of JavaScript that says `any`. */
export function isUntypedDoc(path: string, { type, value }: Comment): boolean {
  return (
    /\.[cm]?jsx?$/.test(path) && type === 'CommentBlock' && /^\*[^]*@type\s*\{\s*(any|\*)\s*\}/.test(value)
  );
}

/** Whether the comment is a suppression of this kind. */
export function isSuppression(
  { type, value }: Comment,
  { pattern, onlyBlock = false }: CommentKind,
): boolean {
  return (!onlyBlock || type === 'CommentBlock') && pattern.test(value);
}
