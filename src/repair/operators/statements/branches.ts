import type { Node } from '@babel/types';
import { precedenceOf } from '../../syntax/precedence.ts';
import { bare, inStatementList } from '../../syntax/walk.ts';
import type { Operator } from '../operator.ts';
import { swap, insertAt, replaceNode, replaceRange, replaceSite } from '../proposals.ts';
import { closed } from './statements.ts';

/** `c ? a : b` → `c ? b : a`, `a` or `b`; `if (c) a; else b;` → `if (c) b; else a;`. */
export const swapBranches: Operator = {
  name: 'swap-branches',
  prior: 0.55,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type === 'ConditionalExpression') {
      yield swap(node.consequent, node.alternate, textOf, 1);
      yield replaceSite(site, textOf(node.consequent), precedenceOf(node.consequent), 0.4);
      yield replaceSite(site, textOf(node.alternate), precedenceOf(node.alternate), 0.4);
    }
    if (node.type !== 'IfStatement' || !node.alternate) return;
    // An `else` belongs to the nearest `if`, so swapping a nested one would change the meaning.
    const isNested = node.consequent.type === 'IfStatement' || node.alternate.type === 'IfStatement';
    if (!isNested) yield swap(node.consequent, node.alternate, textOf, 0.8);
  },
};

/** `if (c) { a }` → `{ a }`, `if (a) …; if (b) …;` → `if (a) …; else if (b) …;` and back. */
export const chainBranches: Operator = {
  name: 'chain-branches',
  prior: 0.4,
  *propose(site, { text, textOf }) {
    const { node } = site;
    if (node.type !== 'IfStatement') return;
    if (inStatementList(site) && !node.alternate) {
      yield replaceNode(node, textOf(node.consequent), 0.5);
      const before = (site.parent!.node as unknown as Record<string, Node[]>)[site.key]?.[site.index - 1];
      if (before?.type === 'IfStatement') yield insertAt(node.start!, 'else ', 1);
    }
    if (site.key !== 'alternate' || site.parent?.node.type !== 'IfStatement') return;
    if (site.parent.node.consequent.type !== 'BlockStatement') return;
    const start = site.parent.node.consequent.end!;
    if (text.slice(start, node.start!).trim() === 'else') yield replaceRange(start, node.start!, '\n', 1);
  },
};

/**
 * `if (c) { x = a }` → `if (c) { x = a } else { n++; }`, with a copy of another short statement; after a branch that ends
 * with a jump without `else`.
 */
export const missingElse: Operator = {
  name: 'missing-else',
  prior: 0.25,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'IfStatement' || node.alternate) return;
    const texts = new Set<string>();
    for (const { node: other } of source.withinFunction(site)) {
      if (other.type !== 'ExpressionStatement') continue;
      if (!/^(Assignment|Call|Update)Expression$/.test(other.expression.type)) continue;
      const text = closed(source.textOf(other));
      if (text.length <= 60 && !source.textOf(node).includes(source.textOf(other))) texts.add(text);
    }
    const isPlain = hasJump(node) && inStatementList(site);
    for (const text of [...texts].slice(0, 6)) {
      const added = isPlain ? `\n${text}` : ` else { ${text} }`;
      yield insertAt(node.end!, added, node.consequent.type === 'BlockStatement' ? 1 : 0.5);
    }
  },
};

/** `while (c)` → `if (c)`, `if (c)` in a loop → `while (c)`. */
export const whileOrIf: Operator = {
  name: 'while-or-if',
  prior: 0.25,
  *propose({ node }) {
    if (node.type === 'WhileStatement') yield replaceRange(node.start!, node.start! + 'while'.length, 'if');
    if (node.type === 'IfStatement' && !node.alternate && !hasJump(node)) {
      yield replaceRange(node.start!, node.start! + 'if'.length, 'while', 0.7);
    }
  },
};

/** Loop heads: `of` ↔ `in`, other steps, and the opposite direction. */
export const loopHead: Operator = {
  name: 'loop-head',
  prior: 0.5,
  *propose({ node }, { text, textOf }) {
    if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') {
      const own = node.type === 'ForOfStatement' ? 'of' : 'in';
      const start = text.slice(0, node.right.start!).lastIndexOf(own);
      if (!('await' in node && node.await)) yield replaceRange(start, start + 2, own === 'of' ? 'in' : 'of');
      yield replaceNode(node.right, `[...${textOf(node.right)}].reverse()`, 0.3);
    }
    if (node.type !== 'ForStatement' || node.update?.type !== 'UpdateExpression') return;
    const name = textOf(node.update.argument);
    for (const step of ['2', '3'])
      yield replaceNode(node.update, `${name} ${node.update.operator[0]!}= ${step}`, 0.5);
    const start = node.init?.type === 'VariableDeclaration' ? node.init.declarations[0]?.init : undefined;
    const test = node.test ? bare(node.test) : undefined;
    if (!start || test?.type !== 'BinaryExpression' || !/^[<>]=?$/.test(test.operator)) return;
    yield backwards({ start, test, update: node.update, name }, textOf);
  },
};

interface LoopHead {
  readonly start: Node;
  readonly test: Extract<Node, { type: 'BinaryExpression' }>;
  readonly update: Node;
  readonly name: string;
}

/** `for (let i = 0; i < n; i++)` → `for (let i = n - 1; i >= 0; i--)`. */
function backwards({ start, test, update, name }: LoopHead, textOf: (node: Node) => string) {
  const [from, to] = [textOf(start), textOf(test.right)];
  const up = test.operator.startsWith('<');
  const exclusive = !test.operator.endsWith('=');
  const first = exclusive ? `${to} ${up ? '-' : '+'} 1` : to;
  const edits = [
    ...replaceNode(start, first).edits,
    ...replaceNode(test, `${name} ${up ? '>=' : '<='} ${from}`).edits,
    ...replaceNode(update, up ? `${name}--` : `${name}++`).edits,
  ];
  return { edits, factor: 0.5 };
}

/** Whether the branch ends with a jump, so that it would run only once as a loop. */
function hasJump(node: Extract<Node, { type: 'IfStatement' }>): boolean {
  const body = node.consequent.type === 'BlockStatement' ? node.consequent.body : [node.consequent];
  return /^(Return|Break|Continue|Throw)Statement$/.test(body.at(-1)?.type ?? '');
}
