import type { Comment, Node } from '@babel/types';
import { applyEdits, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';

/** Comments that declare types. */
const DECLARES = /@(returns?|type|typedef|template|property|prop|overload|satisfies|enum)\b/;

/**
 * The text of a source in which code that is the same as in the base has the declaring comments of the base; undefined if it has
 * them already. Code that was changed keeps its comments.
 */
export function withBaseComments(now: ParsedSource, then: ParsedSource): string | undefined {
  const known = new Map(commentedIn(then).map(({ code, comment }) => [code, comment]));
  const edits = commentedIn(now).flatMap(({ code, comment, start, end }): TextEdit[] => {
    const before = known.get(code);
    return before === undefined || before === comment || !DECLARES.test(comment + before)
      ? []
      : [{ start, end, replacement: before }];
  });
  return edits.length === 0
    ? undefined
    : applyEdits(
        now.text,
        edits.toSorted((a, b) => a.start - b.start),
      );
}

interface Commented {
  /** The code without comments and spaces. */
  readonly code: string;
  /** Empty if there is none. */
  readonly comment: string;
  /** Where the comment stands, or would stand. */
  readonly start: number;
  readonly end: number;
}

function commentedIn({ tree, text }: ParsedSource): Commented[] {
  const comments = tree.comments ?? [];
  const found: Commented[] = [];
  walk(tree.program, (node) => {
    if (!isDescribed(node)) return;
    const comment = node.leadingComments?.findLast(
      ({ type, value }) => type === 'CommentBlock' && value.startsWith('*'),
    );
    const [start, end] = comment ? [comment.start!, comment.end!] : [startOf(node), startOf(node)];
    found.push({ code: codeOf(node, text, comments), comment: text.slice(start, end), start, end });
  });
  return found;
}

/** Statements, and members of classes and objects. */
function isDescribed({ type }: Node): boolean {
  return /^(Export\w+Declaration|FunctionDeclaration|VariableDeclaration|ClassDeclaration|ExpressionStatement|Class\w*(Method|Property)|Object(Method|Property))$/.test(
    type,
  );
}

function codeOf(node: Node, text: string, comments: readonly Comment[]): string {
  const [start, end] = [startOf(node), endOf(node)];
  const inner = comments.filter((it) => it.start! >= start && it.end! <= end);
  const edits = inner.map((it) => ({ start: it.start! - start, end: it.end! - start, replacement: '' }));
  return applyEdits(text.slice(start, end), edits).replaceAll(/\s+/g, '');
}
