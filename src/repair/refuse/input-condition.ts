import type { Node } from '@babel/types';
import type { Site } from '../syntax/walk.ts';
import type { Change } from './change.ts';
import type { TestValues } from './evidence.ts';
import { newLiterals } from './new-literals.ts';

const COMPARISONS = /^(?:[!=]==?|[<>]=?)$/;
/** A string of one character that is no letter or digit: it separates or marks, whatever the input. */
const PUNCTUATION = /^"\\?[^\p{L}\p{N}]"$/u;
const TESTS =
  /^(?:includes|startsWith|endsWith|indexOf|lastIndexOf|has|test|match|search|equals|isEqual|is)$/;

/** A value of a test that an edit compares something with, as text; undefined if there is none. */
export function comparesWithInput(change: Change, { values, strings }: TestValues): string | undefined {
  return newLiterals(change).find(({ site, value }) => {
    if (!isCompared(site) || PUNCTUATION.test(value)) return false;
    return values.has(value) || isPartOf(strings, value);
  })?.value;
}

/** Whether a value is a word, or a piece of at least two letters or digits, of a string of a test. */
function isPartOf(strings: readonly string[], value: string): boolean {
  if (!value.startsWith('"')) return false;
  const text = JSON.parse(value) as string;
  return /[\p{L}\p{N}]{2}/u.test(text) && strings.some((string) => string.includes(text));
}

function isCompared({ node, key, parent }: Site): boolean {
  if (parent === undefined) return false;
  switch (parent.node.type) {
    case 'ParenthesizedExpression':
    case 'ArrayExpression':
      return isCompared(parent);
    case 'BinaryExpression':
      return (
        COMPARISONS.test(parent.node.operator) && !isTypeof(parent.node.left) && !isTypeof(parent.node.right)
      );
    case 'SwitchCase':
      return key === 'test';
    case 'CallExpression': {
      const { callee } = parent.node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
      return key === 'arguments' && TESTS.test(callee.property.name) && node.type !== 'ObjectExpression';
    }
    case 'MemberExpression':
      return key === 'object' && isCompareCall(parent);
    default:
      return false;
  }
}

/** `['a', 'b'].includes(x)`. */
function isCompareCall({ node, key, parent }: Site): boolean {
  return (
    key === 'callee' &&
    parent?.node.type === 'CallExpression' &&
    node.type === 'MemberExpression' &&
    node.property.type === 'Identifier' &&
    TESTS.test(node.property.name)
  );
}

/** `typeof x === 'string'` asks for a kind, not for a value. */
function isTypeof(node: Node): boolean {
  return node.type === 'UnaryExpression' && node.operator === 'typeof';
}
