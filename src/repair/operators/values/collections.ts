import type { Operator } from '../operator.ts';
import { swap, replaceNode, replaceRange } from '../proposals.ts';

/** `[a, b]` → `[b, a]`, also in patterns. */
export const swapElements: Operator = {
  name: 'swap-elements',
  prior: 0.55,
  *propose({ node }, { textOf }) {
    if (node.type !== 'ArrayExpression' && node.type !== 'ArrayPattern') return;
    const elements = node.elements.filter((element) => element !== null);
    if (elements.length !== node.elements.length || elements.length > 4) return;
    for (let index = 1; index < elements.length; index++) {
      yield swap(elements[index - 1]!, elements[index]!, textOf, 1);
    }
  },
};

/** `{ ...options, a: 1 }` → `{ a: 1, ...options }`, `{ a: 1, b: 2 }` → `{ a: 2, b: 1 }`. */
export const swapProperties: Operator = {
  name: 'swap-properties',
  prior: 0.4,
  *propose({ node }, { textOf }) {
    if (node.type !== 'ObjectExpression') return;
    const { properties } = node;
    for (let index = 1; index < properties.length; index++) {
      const [a, b] = [properties[index - 1]!, properties[index]!];
      if (a.type === 'SpreadElement' || b.type === 'SpreadElement') yield swap(a, b, textOf, 1);
      else if (a.type === 'ObjectProperty' && b.type === 'ObjectProperty' && !a.shorthand && !b.shorthand) {
        yield swap(a.value, b.value, textOf, 0.6);
      }
    }
  },
};

/** `[a, b]` → `[a]`, `{ a, b }` → `{ a }`. */
export const dropElement: Operator = {
  name: 'drop-element',
  prior: 0.25,
  *propose({ node }) {
    if (node.type !== 'ArrayExpression' && node.type !== 'ObjectExpression') return;
    const items = node.type === 'ArrayExpression' ? node.elements : node.properties;
    if (items.length > 12) return;
    for (const [index, item] of items.entries()) {
      const before = items[index - 1];
      if (item === null || before === null) continue;
      const start = before === undefined ? item.start! : before.end!;
      const end = before === undefined ? (items[1]?.start ?? item.end!) : item.end!;
      yield replaceRange(start, end, '');
    }
  },
};

/** `(a, b)` → `[a, b]`, `[b, a]`, `a` or `b`. */
export const sequenceToList: Operator = {
  name: 'sequence-to-list',
  prior: 0.8,
  *propose({ node }, { textOf }) {
    if (node.type !== 'ParenthesizedExpression' || node.expression.type !== 'SequenceExpression') return;
    yield replaceNode(node, `[${textOf(node.expression)}]`);
    const { expressions } = node.expression;
    yield replaceNode(node, `[${[...expressions].reverse().map(textOf).join(', ')}]`, 0.8);
    for (const expression of expressions) yield replaceNode(node, textOf(expression), 0.5);
  },
};

/** `[x]` → `x`, `{ a }` → `{ ...a }`. */
export const unwrapList: Operator = {
  name: 'unwrap-list',
  prior: 0.25,
  *propose({ node, key }, { textOf }) {
    const isValue = node.type === 'ArrayExpression' && key !== 'left' && node.elements.length === 1;
    const [only] = isValue ? node.elements : [];
    if (only && only.type !== 'SpreadElement') yield replaceNode(node, textOf(only));
    if (only?.type === 'SpreadElement') yield replaceNode(node, textOf(only.argument), 1);
    if (node.type !== 'ObjectProperty' || !node.shorthand || key !== 'properties') return;
    yield replaceNode(node, `...${textOf(node.key)}`, 0.6);
  },
};

/** `${a}-${b}` → `${b}-${a}`. */
export const swapTemplateParts: Operator = {
  name: 'swap-template-parts',
  prior: 0.45,
  *propose({ node }, { textOf }) {
    if (node.type !== 'TemplateLiteral') return;
    for (let index = 1; index < node.expressions.length; index++) {
      yield swap(node.expressions[index - 1]!, node.expressions[index]!, textOf, 1);
    }
  },
};
