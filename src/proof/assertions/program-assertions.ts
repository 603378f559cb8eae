import type { Node, Statement } from '@babel/types';
import { memberOf, walk } from '../acceptance/syntax.ts';
import { parseTest } from '../canaries/wrong-expectations.ts';
import { CONDITIONS, isAssertion } from './assertion-places.ts';

/** An assertion of a program, which no condition leaves out. */
export interface ProgramAssertion {
  /** Offsets of the assertion in the text. */
  readonly from: number;
  readonly to: number;
  /** Offset of the assertion that runs before it, where nothing between them may leave. */
  readonly follows?: number | undefined;
  /** It is the result of an arrow function, and no statement. */
  readonly isResult?: true;
}

/**
 * The assertions that are statements of a program, in its functions and loops as well, or results of its arrow functions.
 * Left out are those behind a condition. Empty for a text that cannot be parsed.
 */
export function programAssertions(source: string): ProgramAssertion[] {
  try {
    const found = new Map<number, ProgramAssertion>();
    const add = (statement: Statement, follows?: number): number | undefined => {
      if (statement.type !== 'ExpressionStatement' || !isAssertion(statement.expression)) return undefined;
      const { start, end } = statement.expression;
      found.set(start!, { from: start!, to: end!, follows: follows ?? found.get(start!)?.follows });
      return start!;
    };
    walk(parseTest(source).program, (node, parents) => {
      if ([...parents, node].some((it) => CONDITIONS.has(it.type) || expectsError(it))) return;
      if (node.type === 'ExpressionStatement') add(node);
      if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement')
        if (isAssertion(node.body)) {
          const { start, end } = node.body;
          found.set(start!, { from: start!, to: end!, isResult: true });
        }
      if (node.type !== 'Program' && node.type !== 'BlockStatement') return;
      let last: number | undefined;
      for (const statement of node.body) {
        const isPlain = /^(ExpressionStatement|VariableDeclaration)$/.test(statement.type);
        last = add(statement, last) ?? (isPlain ? last : undefined);
      }
    });
    return [...found.values()];
  } catch {
    return [];
  }
}

/** `assert.throws(…)` and the like: an assertion in there is to fail. */
function expectsError(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const name = callee.type === 'Identifier' ? callee.name : memberOf(callee)?.name;
  return name !== undefined && /throw|reject|fail|expect/i.test(name);
}
