import type { Node } from '@babel/types';
import { editedRange } from '../../syntax/edit.ts';
import { atLeast, operatorPrecedence, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import { bare, nearest, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode, replaceOperator, replaceSite, together } from '../proposals.ts';

/** `&&` ↔ `||` ↔ `??`, for one operator or a whole chain. */
export const logical: Operator = {
  name: 'logical',
  prior: 0.9,
  *propose(site, { text, textOf }) {
    const { node, parent } = site;
    if (node.type !== 'LogicalExpression') return;
    const others = ['&&', '||', '??'].filter((other) => other !== node.operator);
    for (const other of others) {
      const mixes = [node.left, node.right, parent?.node].some(
        (near) =>
          near?.type === 'LogicalExpression' && (near.operator === '??' || other === '??' || other === '&&'),
      );
      const factor = other === '??' || node.operator === '??' ? 0.4 : 1;
      if (!mixes) yield replaceOperator(node, other, { text, factor });
      else
        yield replaceSite(
          site,
          `${textOf(node.left)} ${other} ${textOf(node.right)}`,
          loosest(node, other),
          factor * 0.9,
        );
    }
    if (node.left.type !== 'LogicalExpression' || node.left.operator !== node.operator) return;
    if (parent?.node.type === 'LogicalExpression' && parent.node.operator === node.operator) return;
    const chain = chainOf(node, node.operator);
    const other = node.operator === '&&' ? '||' : '&&';
    yield replaceSite(site, chain.map(textOf).join(` ${other} `), operatorPrecedence(other), 0.6);
  },
};

/** Lowest precedence of the operands with another operator between them; `??` cannot be mixed without parentheses. */
function loosest({ left, right }: { left: Node; right: Node }, operator: string): number {
  if (operator === '??') return Precedence.sequence;
  return Math.min(operatorPrecedence(operator), precedenceOf(left), precedenceOf(right));
}

/** `a && b` → `a`, `a && b && c` → `a && c`. */
export const dropCondition: Operator = {
  name: 'drop-condition',
  prior: 0.7,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'LogicalExpression') return;
    yield replaceSite(site, textOf(node.left), precedenceOf(node.left));
    yield replaceSite(site, textOf(node.right), precedenceOf(node.right));
  },
};

/** `if (x)` → `if (!x)`, `!x` → `x`. */
export const negate: Operator = {
  name: 'negate',
  prior: 0.7,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type === 'UnaryExpression' && node.operator === '!') {
      yield replaceNode(node, textOf(node.argument));
      return;
    }
    if (isComparison(node) || node.type === 'BooleanLiteral') return;
    // In parentheses of its own, as `if ((a && b))` is without its `!`.
    if (node.type === 'ParenthesizedExpression' && site.key !== 'test') return;
    if (!isCondition(site) && !isBooleanValue(site)) return;
    const text = `!${atLeast(textOf(node), precedenceOf(node), Precedence.unary)}`;
    yield replaceSite(site, text, Precedence.unary, isCondition(site) ? 1 : 0.4);
  },
};

/** `if (x)` → `if (true)`, `if (false)`. */
export const constantCondition: Operator = {
  name: 'constant-condition',
  prior: 0.12,
  *propose({ node, parent, key }) {
    const branches = parent?.node.type === 'IfStatement' || parent?.node.type === 'ConditionalExpression';
    if (key !== 'test' || !branches) return;
    yield replaceNode(node, 'true');
    yield replaceNode(node, 'false');
  },
};

/** `x + y === z || x === y + z` → `… || y === x + z`: adds a term with its names permuted. */
export const missingCase: Operator = {
  name: 'missing-case',
  prior: 0.35,
  *propose(site, source) {
    const { node, parent } = site;
    if (node.type !== 'LogicalExpression' || node.operator === '??') return;
    if (parent?.node.type === 'LogicalExpression' && parent.node.operator === node.operator) return;
    const terms = chainOf(node, node.operator);
    const texts = new Set(terms.map(source.textOf));
    for (const term of terms) {
      for (const variant of renamings(term, source)) {
        if (texts.has(variant)) continue;
        texts.add(variant);
        const text = `${source.textOf(node)} ${node.operator} ${variant}`;
        yield replaceSite(site, text, operatorPrecedence(node.operator));
      }
    }
  },
};

/** `if (a)` → `if (a && c)`, with a condition from elsewhere in the function. */
export const extraCondition: Operator = {
  name: 'extra-condition',
  prior: 0.25,
  *propose(site, source) {
    if (!isWholeTest(site)) return;
    const own = source.textOf(site.node);
    const seen = new Set([own]);
    for (const other of source.withinFunction(site)) {
      if (
        !isComparison(other.node) &&
        !(other.node.type === 'UnaryExpression' && other.node.operator === '!')
      )
        continue;
      const text = source.textOf(other.node);
      if (seen.has(text) || text.length > 50 || own.includes(text)) continue;
      seen.add(text);
      const left = (least: number) => atLeast(own, precedenceOf(site.node), least);
      yield replaceNode(site.node, `${left(Precedence.and)} && ${text}`);
      yield replaceNode(site.node, `${left(Precedence.or)} || ${text}`);
    }
  },
};

/** Whether the site is a branch's test or an operand of a logical operator. */
export function isCondition(site: Site): boolean {
  if (site.key === 'test') return site.parent?.node.type !== 'SwitchCase';
  const holder = site.parent?.node;
  return holder?.type === 'LogicalExpression' && (holder.operator !== '??' || site.key === 'left');
}

/** Operands of a left-associative chain `a op b op c`. */
export function chainOf(node: Node, operator: string): Node[] {
  if (node.type !== 'LogicalExpression' && node.type !== 'BinaryExpression') return [node];
  if (node.operator !== operator) return [node];
  return [...chainOf(node.left, operator), node.right];
}

function isWholeTest(site: Site): boolean {
  const { key, parent } = site;
  return key === 'test' && /^(If|While)Statement$|^ConditionalExpression$/.test(parent?.node.type ?? '');
}

function isBooleanValue(site: Site): boolean {
  const { node, parent, key } = site;
  const holder = parent?.node.type;
  const isPlace =
    holder === 'ReturnStatement' ||
    holder === 'ArrayExpression' ||
    (holder === 'ArrowFunctionExpression' && key === 'body') ||
    (holder === 'ObjectProperty' && key === 'value') ||
    ((holder === 'AssignmentExpression' || holder === 'VariableDeclarator') &&
      (key === 'right' || key === 'init'));
  const inPattern = nearest(site, ({ type }) => type === 'ObjectPattern' || type === 'ArrayPattern');
  const isValue = /^(Identifier|MemberExpression|CallExpression|LogicalExpression)$/.test(node.type);
  return isPlace && isValue && inPattern === undefined;
}

function isComparison(node: Node): boolean {
  const inner = bare(node);
  return inner.type === 'BinaryExpression' && /^([<>]=?|[=!]==?)$/.test(inner.operator);
}

/** Texts of the term with its names permuted; empty unless it has two or three names. */
function renamings(term: Node, source: SourceView): string[] {
  const spots = source.sites.filter(
    ({ node, key, parent }) =>
      node.type === 'Identifier' &&
      node.start! >= term.start! &&
      node.end! <= term.end! &&
      !(key === 'property' && parent?.node.type === 'MemberExpression' && !parent.node.computed) &&
      key !== 'callee',
  );
  const names = [...new Set(spots.map(({ node }) => source.textOf(node)))];
  if (names.length < 2 || names.length > 3) return [];
  return permutations(names).map((permuted) => {
    const { edits } = together(
      spots.map(({ node }) => replaceNode(node, permuted[names.indexOf(source.textOf(node))]!)),
    );
    return editedRange(source.text, edits, { start: term.start!, end: term.end! });
  });
}

function permutations(names: readonly string[]): string[][] {
  if (names.length < 2) return [[...names]];
  return names.flatMap((name, index) =>
    permutations(names.filter((_, other) => other !== index)).map((rest) => [name, ...rest]),
  );
}
