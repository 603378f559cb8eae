import { fit, precedenceOf } from '../../syntax/precedence.ts';
import { functionOf, inStatementList, isFunction, nearest, type Site } from '../../syntax/walk.ts';
import { isCallable, kindOfBinding } from '../binding-kinds.ts';
import type { Operator, SourceView } from '../operator.ts';
import { insertAt, replaceNode, together } from '../proposals.ts';

/** `return x` → `return y`: another name, an expected value of the failing tests, or a usual default. */
export const returnValue: Operator = {
  name: 'return-value',
  prior: 0.5,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'ReturnStatement' || !node.argument) return;
    const { argument } = node;
    for (const value of source.literals.expected) yield replaceNode(argument, value, 0.8);
    for (const value of VALUES) yield replaceNode(argument, value, 0.4);
    for (const binding of source.visibleAt(site).slice(0, 12)) {
      if (isCallable(binding, source) || binding.owner < 0) continue;
      yield replaceNode(argument, binding.name, 0.9);
      if (kindOfBinding(binding, source) !== 'array') continue;
      yield replaceNode(argument, `${binding.name}.length`, 0.5);
      for (const separator of ["''", "' '", "','", "', '"]) {
        yield replaceNode(argument, `${binding.name}.join(${separator})`, 0.4);
      }
    }
  },
};

/** `x.map(f);` → `return x.map(f);`, or a `return` at the end of a function without one. */
export const missingReturn: Operator = {
  name: 'missing-return',
  prior: 0.8,
  *propose(site, source) {
    const { node } = site;
    if (node.type === 'ExpressionStatement' && inFunction(site)) {
      const worth = /^(Call|Binary|Member|Conditional|Logical)Expression$|^Identifier$/.test(
        node.expression.type,
      );
      if (worth) yield insertAt(node.start!, 'return ', 1);
      if (node.expression.type === 'AssignmentExpression') yield insertAt(node.start!, 'return ', 0.4);
    }
    if (node.type !== 'BlockStatement' || site.parent === undefined || !isFunction(site.parent.node)) return;
    if (node.body.at(-1)?.type === 'ReturnStatement') return;
    yield* lastReturns(site, source);
  },
};

/** Exchanges `true` and `false` in all return statements of a function. */
export const flipReturns: Operator = {
  name: 'flip-returns',
  prior: 0.5,
  *propose(site, source) {
    if (!isFunction(site.node)) return;
    const returns = source
      .withinFunction(site)
      .filter(({ node, parent }) => node.type === 'BooleanLiteral' && parent?.node.type === 'ReturnStatement')
      .filter((inner) => functionOf(inner)?.node === site.node);
    if (returns.length < 2) return;
    yield together(returns.map(({ node }) => replaceNode(node, String(!(node as { value: boolean }).value))));
  },
};

/** `() => { f() }` → `() => f()`. */
export const arrowValue: Operator = {
  name: 'arrow-value',
  prior: 0.5,
  *propose({ node }, { textOf }) {
    if (node.type !== 'ArrowFunctionExpression' || node.body.type !== 'BlockStatement') return;
    const [only, ...rest] = node.body.body;
    if (only?.type !== 'ExpressionStatement' || rest.length > 0) return;
    const site: Site = {
      node: node.body,
      key: 'body',
      index: -1,
      parent: { node, key: '', index: -1, parent: undefined },
    };
    yield replaceNode(node.body, fit(site, textOf(only.expression), precedenceOf(only.expression)));
  },
};

/** `return a < b && c` → `return !(a < b && c)`. */
export const negateReturn: Operator = {
  name: 'negate-return',
  prior: 0.5,
  *propose({ node, parent, key }, { textOf }) {
    const holder = parent?.node.type;
    const isResult = holder === 'ReturnStatement' || (holder === 'ArrowFunctionExpression' && key === 'body');
    if (!isResult || !/^(Binary|Logical)Expression$|^ParenthesizedExpression$/.test(node.type)) return;
    const text = textOf(node);
    yield replaceNode(node, node.type === 'ParenthesizedExpression' ? `!${text}` : `!(${text})`);
  },
};

function* lastReturns(site: Site, source: SourceView) {
  const close = site.node.end! - 1;
  const from: Site = { node: { ...site.node, start: close }, key: site.key, index: -1, parent: site.parent };
  for (const binding of source.visibleAt(from).slice(0, 8)) {
    if (!isCallable(binding, source) && binding.owner >= 0)
      yield insertAt(close, `return ${binding.name};\n`, 0.6);
  }
  for (const value of [...source.literals.expected.slice(0, 6), ...VALUES.slice(0, 4)]) {
    yield insertAt(close, `return ${value};\n`, 0.4);
  }
}

function inFunction(site: Site): boolean {
  return inStatementList(site) && nearest(site, isFunction) !== undefined;
}

const VALUES = ['true', 'false', 'null', 'undefined', '0', '1', '-1', "''", '[]'];
