import { Precedence } from '../../syntax/precedence.ts';
import type { Operator } from '../operator.ts';
import { replaceSite } from '../proposals.ts';

const OPPOSITE: Readonly<Record<string, string>> = { toUpperCase: 'toLowerCase', toLowerCase: 'toUpperCase' };

/** `c.toUpperCase() === c` → `c.toLowerCase() !== c`: asks for the case of a character that may have none. */
export const caseTest: Operator = {
  name: 'case-test',
  prior: 0.95,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return;
    for (const [call, plain] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') continue;
      const { object, property } = call.callee;
      const opposite = property.type === 'Identifier' ? OPPOSITE[property.name] : undefined;
      if (opposite === undefined || textOf(object) !== textOf(plain)) continue;
      const operator = (node.operator.startsWith('!') ? '=' : '!') + node.operator.slice(1);
      const text = `${textOf(object)}.${opposite}() ${operator} ${textOf(plain)}`;
      yield replaceSite(site, text, Precedence.equality);
    }
  },
};
