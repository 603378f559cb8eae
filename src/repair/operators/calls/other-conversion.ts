import type { Operator } from '../operator.ts';
import { replaceRange } from '../proposals.ts';

/** Functions of the language that convert one value, each with those that it is confused with, the likeliest first. */
const CONFUSED: Readonly<Record<string, readonly string[]>> = {
  String: ['Number', 'Boolean'],
  Number: ['String', 'parseFloat', 'BigInt', 'Boolean'],
  Boolean: ['Number', 'String'],
  BigInt: ['Number'],
  parseInt: ['parseFloat', 'Number'],
  parseFloat: ['Number', 'parseInt'],
};

const LIKELIEST = 1;
const LESS_LIKELY = 0.6;

/** `String(x)` → `Number(x)`, `parseInt(x, 10)` → `parseFloat(x)`. */
export const otherConversion: Operator = {
  name: 'other-conversion',
  prior: 0.4,
  *propose({ node }, { textOf }) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return;
    const [value] = node.arguments;
    const others = Object.hasOwn(CONFUSED, node.callee.name) ? CONFUSED[node.callee.name]! : [];
    if (value === undefined) return;
    for (const [index, other] of others.entries()) {
      const radix = other === 'parseInt' ? ', 10' : '';
      const factor = index === 0 ? LIKELIEST : LESS_LIKELY;
      yield replaceRange(node.start!, node.end!, `${other}(${textOf(value)}${radix})`, factor);
    }
  },
};
