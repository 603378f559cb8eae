import { bare, inStatementList, isLoneBody } from '../../../repair/syntax/walk.ts';
import { replaceNode, type Mutator } from './mutator.ts';
import { isLog } from './values.ts';

/** An expression statement, a `throw` or a jump is removed. */
export const statement: Mutator = function* (site) {
  const { node, parent, index } = site;
  if (!inStatementList(site) && !isLoneBody(site)) return;
  const removed = replaceNode(node, isLoneBody(site) ? '{}' : '');
  if (node.type === 'ExpressionStatement') {
    const expression = bare(node.expression);
    const isCall = expression.type === 'CallExpression';
    if (isCall && (expression.callee.type === 'Super' || isLog(expression.callee))) return;
    if (expression.type === 'StringLiteral') return;
    yield removed;
  }
  if (node.type === 'ThrowStatement') yield removed;
  if (node.type === 'ContinueStatement' || node.type === 'BreakStatement') {
    const siblings = parent?.node.type === 'SwitchCase' ? parent.node.consequent : [];
    const cases = parent?.parent?.node.type === 'SwitchStatement' ? parent.parent.node.cases : [];
    // The last jump of a switch jumps nowhere else.
    if (index === siblings.length - 1 && cases.at(-1) === parent?.node) return;
    yield removed;
  }
};
