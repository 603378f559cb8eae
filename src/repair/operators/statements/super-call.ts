import type { Node } from '@babel/types';
import { isFunction, nearest } from '../../syntax/walk.ts';
import type { Operator } from '../operator.ts';
import { insertAt } from '../proposals.ts';

/** Calls the constructor of the extended class, with the first parameters of its own, where a constructor does not. */
export const superCall: Operator = {
  name: 'super-call',
  prior: 0.9,
  *propose({ node, parent }, source) {
    if (node.type !== 'ClassMethod' || node.kind !== 'constructor') return;
    const owner = parent?.parent?.node;
    if (owner === undefined || !('superClass' in owner) || !owner.superClass) return;
    const isCall = source
      .within(node.body)
      .some((site) => site.node.type === 'Super' && nearest(site, isOwnFunction)?.node === node);
    if (isCall) return;
    const names = node.params.map(nameOf);
    const plain = names.includes(undefined) ? names.indexOf(undefined) : names.length;
    // A trace suspects statements, not the brace before them.
    const start = node.body.body[0]?.start ?? node.body.start! + 1;
    for (let count = Math.min(plain, MOST_PASSED); count >= 0; count--) {
      const factor = count === 1 ? 1 : 0.8;
      yield insertAt(start, `super(${names.slice(0, count).join(', ')});\n`, factor);
    }
  },
};

const MOST_PASSED = 4;

/** Arrow functions have no `super` of their own. */
function isOwnFunction(node: Node): boolean {
  return isFunction(node) && node.type !== 'ArrowFunctionExpression';
}

function nameOf(param: Node): string | undefined {
  if (param.type === 'Identifier') return param.name;
  if (param.type === 'AssignmentPattern') return nameOf(param.left);
  return param.type === 'TSParameterProperty' ? nameOf(param.parameter) : undefined;
}
