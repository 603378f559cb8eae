import type { Node } from '@babel/types';
import { atLeast, operatorPrecedence, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { bare, type Site } from '../../syntax/walk.ts';
import { isRepeatable } from '../../syntax/reads.ts';
import type { Operator } from '../operator.ts';
import { insertAt, replaceNode, replaceSite } from '../proposals.ts';
import { isCondition } from './logical.ts';

/** `if (x)` → `if (x !== undefined)`, `if (!x)` → `if (x === undefined)`: a falsy value is not always missing. */
export const definedness: Operator = {
  name: 'definedness',
  prior: 0.5,
  *propose(site, { textOf, kindOf }) {
    const { node } = site;
    const negated = node.type === 'UnaryExpression' && node.operator === '!';
    const subject = bare(negated ? node.argument : node);
    if (!isCondition(site) || !/^(Identifier|(Optional)?(Member|Call)Expression)$/.test(subject.type)) return;
    if (kindOf(subject) === 'boolean' || (!negated && isNegated(site.parent?.node))) return;
    const text = atLeast(textOf(subject), precedenceOf(subject), Precedence.unary);
    const [equal, factor] = [negated ? '===' : '!==', subject.type.endsWith('CallExpression') ? 0.6 : 1];
    yield replaceSite(site, `${text} ${equal} undefined`, Precedence.equality, factor);
    yield replaceSite(site, `${text} ${equal.slice(0, 2)} null`, Precedence.equality, factor * 0.8);
    yield replaceSite(site, `${text} ${equal} null`, Precedence.equality, factor * 0.7);
    if (kindOf(subject) !== 'unknown') return;
    yield replaceSite(site, `${text} ${equal} ''`, Precedence.equality, factor * 0.4);
    yield replaceSite(site, `typeof ${text} ${equal} 'undefined'`, Precedence.equality, factor * 0.3);
  },
};

/** `x === undefined` → `x == null`, `x === null` → `x === undefined`, `x !== ''` → `x`: other tests for emptiness. */
export const sortOfNothing: Operator = {
  name: 'sort-of-nothing',
  prior: 0.5,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return;
    const nothing = textOf(node.right);
    if (!/^(null|undefined|''|""|0|void 0)$/.test(nothing)) return;
    const left = textOf(node.left);
    const [loose, strict] = [node.operator.slice(0, 2), `${node.operator.slice(0, 2)}=`];
    if (!(nothing === 'null' && node.operator === loose)) yield replaceNode(node, `${left} ${loose} null`, 1);
    for (const other of ['null', 'undefined', "''"]) {
      if (other !== nothing || node.operator === loose)
        yield replaceNode(node, `${left} ${strict} ${other}`, 0.6);
    }
    const text = atLeast(left, precedenceOf(node.left), Precedence.unary);
    const isAbsence = loose === '==';
    yield replaceSite(
      site,
      isAbsence ? `!${text}` : text,
      isAbsence ? Precedence.unary : precedenceOf(node.left),
      0.8,
    );
  },
};

/** `typeof x === 'object'` → `x !== null && typeof x === 'object'`: `null` is of that type as well. */
export const objectOrNull: Operator = {
  name: 'object-or-null',
  prior: 0.7,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return;
    const { left, right } = node;
    if (left.type !== 'UnaryExpression' || left.operator !== 'typeof') return;
    if (right.type !== 'StringLiteral' || right.value !== 'object' || !isRepeatable(left.argument)) return;
    const subject = textOf(left.argument);
    // The condition around it knows the value already.
    if (termsAround(site).some((term) => bareText(textOf(term)) === subject)) return;
    const isObject = node.operator.startsWith('=');
    const [operator, test] = isObject ? ['&&', '!=='] : ['||', '==='];
    const added = `${subject} ${test} null ${operator} `;
    const holder = site.parent?.node;
    if (holder?.type === 'LogicalExpression' && holder.operator === operator)
      yield insertAt(node.start!, added, 1);
    else yield replaceSite(site, `${added}${textOf(node)}`, operatorPrecedence(operator));
  },
};

/** The operands of the chain of `&&` and `||` that the site is in. */
function termsAround(site: Site): Node[] {
  let top: Site = site;
  while (top.parent?.node.type === 'LogicalExpression') top = top.parent;
  const termsOf = (node: Node): Node[] =>
    node.type === 'LogicalExpression' ? [...termsOf(node.left), ...termsOf(node.right)] : [node];
  return termsOf(top.node);
}

/** `!x`, `x !== null` and `x == undefined` → `x`. */
function bareText(term: string): string {
  return term.replace(/^!+/, '').replace(/\s*[!=]==?\s*(?:null|undefined)$/, '');
}

function isNegated(parent: { type: string; operator?: string } | undefined): boolean {
  return parent?.type === 'UnaryExpression' && parent.operator === '!';
}
