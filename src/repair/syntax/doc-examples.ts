import { parseExpression } from '@babel/parser';
import { isLiteral } from './literals.ts';
import type { ParsedSource } from './parse.ts';

/** What a comment says that a call gives: `slug('A b') // => 'a-b'`. */
export interface DocExample {
  /** The function's name. */
  readonly name: string;
  /** Its arguments and its result, as texts of literals. */
  readonly args: string;
  readonly result: string;
}

const MOST_EXAMPLES = 30;
const ARROW = String.raw`(?:\/\/\s*)?(?:=>|->|→|➞|⇒|===?|returns?:?)`;
const ON_ONE_LINE = new RegExp(
  String.raw`(?:^|[\s\x60(])([A-Za-z_$][\w$]*)\((.*)\)[;\x60]?\s*${ARROW}\s*(.+)$`,
);
/** As a console shows it. */
const ON_TWO_LINES = /^>+\s*([A-Za-z_$][\w$]*)\((.*)\);?\n(.+)$/;

/** Examples in the comments of a source whose values are written out; what cannot be read is passed over. */
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
  return examples.slice(0, MOST_EXAMPLES);
}

function exampleIn(match: RegExpExecArray | null): DocExample | undefined {
  const [, name, args = '', told = ''] = match ?? [];
  const result = literalAtStart(told.replace(/\.$/, ''));
  if (name === undefined || result === undefined || !isLiteralText(`[${args}]`)) return undefined;
  return { name, args, result };
}

/** The longest beginning of a text that is a literal, so that words may follow it. */
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
