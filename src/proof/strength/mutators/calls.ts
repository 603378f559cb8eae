import { endOf, startOf } from '../../../repair/syntax/parse.ts';
import { Precedence, precedenceOf } from '../../../repair/syntax/precedence.ts';
import { functionOf, nearest } from '../../../repair/syntax/walk.ts';
import {
  calleeName,
  objectName,
  replaceNode,
  replacePart,
  replaceSite,
  textOf,
  type Mutator,
} from './mutator.ts';
import { isLog } from './values.ts';

const SWAPS: Readonly<Record<string, readonly string[]>> = {
  replaceAll: ['replace'],
  replace: ['replaceAll'],
  every: ['some'],
  some: ['every'],
  min: ['max'],
  max: ['min'],
  floor: ['ceil'],
  ceil: ['floor'],
  round: ['floor'],
  trim: ['trimStart', 'trimEnd'],
  trimStart: ['trim'],
  trimEnd: ['trim'],
  toLowerCase: ['toUpperCase'],
  toUpperCase: ['toLowerCase'],
  toLocaleLowerCase: ['toLocaleUpperCase'],
  toLocaleUpperCase: ['toLocaleLowerCase'],
  startsWith: ['endsWith'],
  endsWith: ['startsWith'],
  indexOf: ['lastIndexOf'],
  lastIndexOf: ['indexOf'],
  find: ['findLast'],
  findIndex: ['findLastIndex'],
  push: ['unshift'],
  unshift: ['push'],
  pop: ['shift'],
  shift: ['pop'],
  padStart: ['padEnd'],
  padEnd: ['padStart'],
  flatMap: ['map'],
};

/** Methods that may be left out: `a.trim()` → `a`. */
const OPTIONAL = new Set(
  (
    'trim trimStart trimEnd toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase filter sort toSorted reverse ' +
    'toReversed slice substring concat replace replaceAll normalize flat padStart padEnd'
  ).split(' '),
);

/** `a.replaceAll(…)` → `a.replace(…)`, `every` → `some`, `Math.min` → `Math.max`. */
export const method: Mutator = function* ({ node }) {
  if (!isCall(node) || node.callee.type === 'Identifier') return;
  const name = calleeName(node.callee);
  const callee = node.callee;
  if (name === undefined || !('property' in callee)) return;
  const [first] = node.arguments;
  // With a pattern the flag decides: both methods do the same, or one throws.
  if (/^replace/.test(name) && first?.type !== 'StringLiteral' && first?.type !== 'TemplateLiteral') return;
  if (/^(?:min|max|floor|ceil|round)$/.test(name) && objectName(callee) !== 'Math') return;
  for (const other of SWAPS[name] ?? []) yield replaceNode(callee.property, other);
};

/** `a.trim()` → `a`. */
export const dropMethod: Mutator = function* (site, text) {
  const { node } = site;
  if (!isCall(node) || !('object' in node.callee) || !OPTIONAL.has(calleeName(node.callee) ?? '')) return;
  yield replaceSite(site, textOf(node.callee.object, text), precedenceOf(node.callee.object));
};

/** `f(a, b)` → `f(a)`; functions as arguments stay. */
export const dropArgument: Mutator = function* ({ node }, text) {
  if (!isCall(node) || isLog(node.callee) || calleeName(node.callee) === 'require') return;
  const last = node.arguments.at(-1);
  if (last === undefined || /Function|Spread/.test(last.type) || node.callee.type === 'Import') return;
  const before = node.arguments.at(-2);
  if (before === undefined && node.callee.type === 'Identifier') return;
  const start = before === undefined ? startOf(last) : endOf(before);
  const comma = /^\s*,/.exec(text.slice(endOf(last)))?.[0].length ?? 0;
  yield replacePart(node, { start, end: endOf(last) + comma }, '');
};

/** `await a` → `a`; not where the function returns the promise itself, which is the same to its caller. */
export const dropAwait: Mutator = function* (site, text) {
  const { node, parent } = site;
  if (node.type !== 'AwaitExpression' || functionOf(site) === undefined) return;
  const isReturned =
    parent?.node.type === 'ReturnStatement' || parent?.node.type === 'ArrowFunctionExpression';
  const isGuarded = nearest(site, ({ type }) => type === 'TryStatement') !== undefined;
  if (isReturned && !isGuarded) return;
  yield replaceSite(
    site,
    textOf(node.argument, text),
    Math.min(precedenceOf(node.argument), Precedence.primary),
  );
};

function isCall<T extends { type: string }>(
  node: T,
): node is Extract<T, { type: 'CallExpression' | 'OptionalCallExpression' }> {
  return node.type === 'CallExpression' || node.type === 'OptionalCallExpression';
}
