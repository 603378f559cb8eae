import type { Node } from '@babel/types';
import { inLoop, inStatementList, type Site } from '../../syntax/walk.ts';
import type { Operator } from '../operator.ts';
import { swap, insertAt, replaceNode, replaceRange } from '../proposals.ts';
import { PURE_METHODS } from '../values/properties.ts';

/** Deletes a statement. */
export const deleteStatement: Operator = {
  name: 'delete-statement',
  prior: 0.55,
  *propose(site) {
    const { node } = site;
    if (!DELETABLE.has(node.type)) return;
    if (inStatementList(site)) yield replaceNode(node, '', FACTORS[node.type] ?? 1);
    else if (site.key === 'alternate') yield dropElse(site);
    else if (site.key === 'body' || site.key === 'consequent') yield replaceNode(node, ';', 0.6);
  },
};

/** `if (c) { a } else { b }` → `if (c) { a }`. */
export const deleteElse: Operator = {
  name: 'delete-else',
  prior: 0.4,
  *propose(site) {
    if (site.key === 'alternate' && site.parent?.node.type === 'IfStatement') yield dropElse(site);
  },
};

/** Swaps a statement with the next one, or moves it to the end of its block or out of its block. */
export const moveStatement: Operator = {
  name: 'move-statement',
  prior: 0.4,
  *propose(site, { textOf }) {
    const { node, parent } = site;
    if (!inStatementList(site) || parent === undefined) return;
    const list = listOf(site);
    const next = list[site.index + 1];
    if (next !== undefined && isMovable(node) && isMovable(next)) yield swap(node, next, textOf, 1);
    if (!isMovable(node) || node.type === 'VariableDeclaration') return;
    const text = textOf(node);
    const last = list.at(-1)!;
    if (last !== node && last !== next) {
      yield move(node, last.type === 'ReturnStatement' ? last.start! : last.end!, text);
    }
    const owner = parent.parent;
    const isBranch =
      parent.node.type === 'BlockStatement' &&
      /^(If|For|ForOf|ForIn|While)Statement$/.test(owner?.node.type ?? '');
    if (!isBranch || owner === undefined || list.length < 2) return;
    yield move(node, owner.node.start!, text);
    yield move(node, owner.node.end!, text);
  },
};

/** Moves a statement into the loop or branch before or after it. */
export const moveInto: Operator = {
  name: 'move-into',
  prior: 0.3,
  *propose(site, { textOf }) {
    const { node } = site;
    if (!inStatementList(site) || !isMovable(node) || node.type === 'VariableDeclaration') return;
    const list = listOf(site);
    const [before, after] = [list[site.index - 1], list[site.index + 1]];
    const text = textOf(node);
    const previous = before === undefined ? undefined : blockIn(before);
    const next = after === undefined ? undefined : blockIn(after);
    if (previous !== undefined) yield move(node, previous.end! - 1, text);
    if (next !== undefined) yield move(node, next.start! + 1, text);
  },
};

/** Repeats a statement. */
export const duplicateStatement: Operator = {
  name: 'duplicate-statement',
  prior: 0.15,
  *propose(site, { textOf }) {
    if (site.node.type !== 'ExpressionStatement' || !inStatementList(site)) return;
    yield insertAt(site.node.end!, `\n${closed(textOf(site.node))}`);
  },
};

/** `x.filter(f);` → `x = x.filter(f);`: assigns the result of a method that changes nothing itself. */
export const discardedResult: Operator = {
  name: 'discarded-result',
  prior: 0.8,
  *propose({ node }, { textOf, isAssigned }) {
    if (node.type !== 'ExpressionStatement' || node.expression.type !== 'CallExpression') return;
    const { callee } = node.expression;
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
    if (!PURE_METHODS.has(callee.property.name)) return;
    const target = textOf(callee.object);
    const factor = callee.object.type === 'Identifier' && !isAssigned(target) ? 0.9 : 1;
    if (/^[\w.]+$/.test(target)) yield insertAt(node.start!, `${target} = `, factor);
  },
};

/** `break` ↔ `continue` ↔ `return`. */
export const jump: Operator = {
  name: 'jump',
  prior: 0.6,
  *propose(site, { textOf, literals }) {
    const { node } = site;
    if (node.type === 'BreakStatement' && inLoop(site))
      yield replaceNode(node, closed(textOf(node).replace('break', 'continue')));
    if (node.type === 'ContinueStatement')
      yield replaceNode(node, closed(textOf(node).replace('continue', 'break')));
    if (node.type === 'BreakStatement' || node.type === 'ContinueStatement') {
      yield replaceNode(node, 'return;', 0.3);
      for (const value of literals.expected.slice(0, 4)) yield replaceNode(node, `return ${value};`, 0.3);
    }
    if (node.type !== 'ReturnStatement' || !inLoop(site)) return;
    yield replaceNode(node, 'continue;', 0.5);
    yield replaceNode(node, 'break;', 0.5);
  },
};

/** Adds `break`, `continue` or `return` at the end of a branch or case. */
export const missingJump: Operator = {
  name: 'missing-jump',
  prior: 0.35,
  *propose(site) {
    const { node, parent } = site;
    if (node.type === 'SwitchCase' && node.consequent.length > 0) {
      yield insertAt(node.consequent.at(-1)!.end!, '\nbreak;');
    }
    if (node.type !== 'BlockStatement' || parent?.node.type !== 'IfStatement') return;
    if (/^(Break|Continue|Return|Throw)Statement$/.test(node.body.at(-1)?.type ?? '')) return;
    const close = node.end! - 1;
    if (inLoop(site)) {
      yield insertAt(close, 'break;\n');
      yield insertAt(close, 'continue;\n');
    }
    yield insertAt(close, 'return;\n', 0.5);
  },
};

/** The statement's text with a semicolon, if it lacks one. */
export function closed(text: string): string {
  return /[;}]\s*$/.test(text) ? text : `${text};`;
}

function dropElse(site: Site) {
  const consequent = (site.parent!.node as { consequent: Node }).consequent;
  return replaceRange(consequent.end!, site.node.end!, '', 0.9);
}

function move(node: Node, to: number, text: string) {
  const gone = { start: node.start!, end: node.end!, replacement: '' };
  const put = { start: to, end: to, replacement: `\n${closed(text)}\n` };
  return { edits: to <= node.start! ? [put, gone] : [gone, put], factor: 0.7 };
}

function listOf(site: Site): Node[] {
  const holder = site.parent!.node as unknown as Record<string, Node[]>;
  return holder[site.key]!;
}

function blockIn(statement: Node): Node | undefined {
  if (statement.type === 'IfStatement') return blockOnly(statement.consequent);
  if (/^(For|ForOf|ForIn|While|DoWhile)Statement$/.test(statement.type))
    return blockOnly((statement as { body: Node }).body);
  return undefined;
}

function blockOnly(node: Node): Node | undefined {
  return node.type === 'BlockStatement' ? node : undefined;
}

function isMovable({ type }: Node): boolean {
  return !/^(Function|Class|Import|Export|TS)/.test(type);
}

const DELETABLE = new Set([
  'ExpressionStatement',
  'IfStatement',
  'ReturnStatement',
  'BreakStatement',
  'ContinueStatement',
  'ThrowStatement',
  'ForStatement',
  'ForOfStatement',
  'WhileStatement',
]);

const FACTORS: Readonly<Record<string, number>> = {
  IfStatement: 0.9,
  ReturnStatement: 0.6,
  BreakStatement: 0.8,
  ContinueStatement: 0.8,
  ForStatement: 0.3,
  ForOfStatement: 0.3,
  WhileStatement: 0.3,
};
