import type { Node } from '@babel/types';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { bare, calledName, isFunction, nearest, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { isGuard } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import { isPlain, type IsInnocent } from './innocent-questions.ts';
import { isRangeOrForm, isThrowing } from './limiting-guards.ts';

/** Questions of careful authors that no test has to decide both ways. */

/** Whether a question is one of a guard that leaves with nothing, or that throws for what is too large or has no form. */
export function isCarefulGuard(site: Site, isInnocent: IsInnocent): boolean {
  const guard = nearest(site, (node) => node.type === 'IfStatement' || isFunction(node))?.node;
  if (guard === undefined || !isGuard(guard)) return false;
  const { test } = guard;
  const { node } = site;
  if (startOf(node) < startOf(test) || endOf(node) > endOf(test)) return false;
  return isThrowing(guard) ? isRangeOrForm(test, isInnocent) : !returnsValue(guard);
}

function returnsValue(guard: Node): boolean {
  return sitesOf(guard).some(
    ({ node }) => node.type === 'ReturnStatement' && node.argument && !isPlain(node.argument),
  );
}

/** Whether a question is how far a loop goes: most loops may as well go further. */
export function isRangeOfLoop(site: Site): boolean {
  const { node } = site;
  if (node.type !== 'BinaryExpression' || !/^[<>]/.test(node.operator)) return false;
  let at = site;
  while (at.parent !== undefined && /^(?:Logical|Parenthesized)/.test(at.parent.node.type)) at = at.parent;
  return at.key === 'test' && /^(?:For|While|DoWhile)Statement$/.test(at.parent?.node.type ?? '');
}

/** `if (!known.has(key)) known.set(key, …)`, or a guard that returns `known.get(key)`: it only saves work. */
export function isOfMemory({ node, parent }: Site, text: string): boolean {
  if (node.type !== 'CallExpression' || calledName(node.callee) !== 'has') return false;
  const guard = parent?.node.type === 'UnaryExpression' ? parent.parent?.node : parent?.node;
  if (guard?.type !== 'IfStatement' || guard.alternate) return false;
  const [known] = text.slice(startOf(node), endOf(node)).split('.has(');
  const { consequent } = guard;
  const [only, ...more] = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  if (only === undefined || more.length > 0) return false;
  const own = text.slice(startOf(only), endOf(only)).replace(/^return\s+/, '');
  return ['set', 'get'].some((name) => own.startsWith(`${known}.${name}(`));
}

/**
 * Whether a question is one of a new file, or of a new function or class that others can use: what nobody used before needs no
 * test. Helpers inside of the file that is changed are parts of the change.
 */
export function isOfNewPart(
  site: Site,
  { parsed, blocks }: ChangedSource,
  isAdded: (node: Node) => boolean,
): boolean {
  const lines = parsed.text.trimEnd().split('\n').length;
  if (blocks.some((it) => it.before.length === 0 && it.line === 1 && it.lines >= lines)) return true;
  let top = site;
  while (top.parent !== undefined && top.parent.node.type !== 'Program') top = top.parent;
  const { node } = top;
  if (!isAdded(node)) return false;
  if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration') {
    const { declaration } = node;
    return declaration !== null && declaration !== undefined && definesOnly(declaration);
  }
  return definesOnly(node) && nameOf(node).some((name) => isExported(name, parsed.text));
}

/** Whether a declaration makes a function or a class, and asks nothing where it stands. */
function definesOnly(node: Node): boolean {
  if (node.type !== 'VariableDeclaration') return isFunction(node) || node.type === 'ClassDeclaration';
  return node.declarations.every(({ init }) => init && isFunction(bare(init)));
}

function nameOf(node: Node): string[] {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration')
    return node.id ? [node.id.name] : [];
  return node.type === 'VariableDeclaration'
    ? node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
    : [];
}

/** `export { name }`, `module.exports = { name }` or `exports.other = name`. */
function isExported(given: string, text: string): boolean {
  const name = escapeRegExp(given);
  const listed = String.raw`\{[^{}]*(?<![\w$])${name}(?![\w$])[^{}]*\}`;
  return new RegExp(String.raw`exports?\s*=?\s*${listed}|exports(?:\.\w+)?\s*=\s*${name}(?![\w$])`).test(
    text,
  );
}
