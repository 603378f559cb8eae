import { parseExpression } from '@babel/parser';
import { isLiteral } from './literals.ts';
import type { ParsedSource } from './parse.ts';

/** A call and its result, as documented in a comment: `slug('A b') // => 'a-b'`. */
export interface DocExample {
  /** The function's name. */
  readonly name: string;
  /** Source text of the arguments, all of them literals. */
  readonly args: string;
  /** Source text of the result, a literal. */
  readonly result: string;
}

const MAX_EXAMPLES = 30;
const ARROW = String.raw`(?:\/\/\s*)?(?:=>|->|→|➞|⇒|===?|returns?:?)`;
const ON_ONE_LINE = new RegExp(
  String.raw`(?:^|[\s\x60(])([A-Za-z_$][\w$]*)\((.*)\)[;\x60]?\s*${ARROW}\s*(.+)$`,
);
/** `>>> f(1)` and the result on the next line, as in a console. */
const ON_TWO_LINES = /^>+\s*([A-Za-z_$][\w$]*)\((.*)\);?\n(.+)$/;

/** Examples in a source's comments; those with values other than literals are skipped. */
export function docExamples({ tree, text }: ParsedSource): DocExample[] {
  const comments = (tree.comments ?? []).map((comment) => text.slice(comment.start ?? 0, comment.end ?? 0));
  const examples = comments.flatMap((comment) => {
    const body = comment.replace(/\*+\/$/, '');
    const lines = body.split('\n').map((line) => line.replace(/^\s*(?:\/?\*+|\/\/+)?\s?/, '').trim());
    return lines.flatMap((line, index) => {
      const both = `${line}\n${lines[index + 1] ?? ''}`;
      return exampleIn(ON_ONE_LINE.exec(line)) ?? exampleIn(ON_TWO_LINES.exec(both)) ?? [];
    });
  });
  return examples.slice(0, MAX_EXAMPLES);
}

function exampleIn(match: RegExpExecArray | null): DocExample | undefined {
  const [, name, args = '', documented = ''] = match ?? [];
  const result = literalAtStart(documented.replace(/\.$/, ''));
  if (name === undefined || result === undefined || !isLiteralText(`[${args}]`)) return undefined;
  return { name, args, result };
}

/** The longest prefix that is a literal; words may follow it. */
function literalAtStart(text: string): string | undefined {
  const ends = [text.length, ...[...text.matchAll(/[\s,;.)\x60#]/g)].map(({ index }) => index).reverse()];
  return ends.map((end) => text.slice(0, end).trim()).find((part) => part !== '' && isLiteralText(part));
}

function isLiteralText(text: string): boolean {
  try {
    return isLiteral(parseExpression(text));
  } catch {
    return false;
  }
}
