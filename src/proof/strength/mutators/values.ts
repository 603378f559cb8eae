import { endOf, startOf } from '../../../repair/syntax/parse.ts';
import { fit, Precedence } from '../../../repair/syntax/precedence.ts';
import { nearest, type Site } from '../../../repair/syntax/walk.ts';
import { calleeName, objectName, replaceNode, replacePart, type Mutator } from './mutator.ts';

/** `3` → `4` and `2`. */
export const number: Mutator = function* (site) {
  const { node, key } = site;
  if (node.type !== 'NumericLiteral' || key === 'key') return;
  const { value } = node;
  yield replaceNode(node, String(value + 1));
  if (value >= 1) yield replaceNode(node, String(value - 1));
  else if (value !== 0) yield replaceNode(node, '0');
};

/** `true` ↔ `false`. */
export const boolean: Mutator = function* ({ node }) {
  if (node.type === 'BooleanLiteral') yield replaceNode(node, String(!node.value));
};

/** `'a'` → `''`, `''` → `'mutated'`. Messages of errors and logs are left alone. */
export const string: Mutator = function* (site) {
  const { node, key, parent } = site;
  if (node.type !== 'StringLiteral' || isMessage(site)) return;
  const isName =
    key === 'key' || key === 'source' || key === 'id' || parent?.node.type === 'TSModuleDeclaration';
  if (isName || parent?.node.type === 'ImportExpression' || isRequire(site)) return;
  yield replaceNode(
    node,
    node.value === '' ? "'mutated'" : parent?.node.type === 'JSXAttribute' ? '""' : "''",
  );
};

/** The text between two expressions of a template → nothing. */
export const templateText: Mutator = function* (site) {
  const { node, parent } = site;
  if (node.type !== 'TemplateElement' || parent?.node.type !== 'TemplateLiteral') return;
  if (parent.parent?.node.type === 'TaggedTemplateExpression' || node.value.raw === '' || isMessage(parent))
    return;
  yield replacePart(parent.node, { start: startOf(node), end: endOf(node) }, '');
};

/** `[a, b]` → `[]`. */
export const array: Mutator = function* ({ node }) {
  if (node.type === 'ArrayExpression' && node.elements.length > 0) yield replaceNode(node, '[]');
};

/** `{ a, b: 1 }` → `{ a }`: one property removed. */
export const property: Mutator = function* ({ node, parent }, text) {
  if (node.type !== 'ObjectProperty' || parent?.node.type !== 'ObjectExpression') return;
  const comma = /^\s*,/.exec(text.slice(endOf(node)));
  const end = endOf(node) + (comma?.[0].length ?? 0);
  yield { start: startOf(node), end, replacement: '', shown: { start: startOf(node), end: endOf(node) } };
};

/** `return x` → `return undefined`, `() => x` → `() => undefined`. */
export const returnValue: Mutator = function* ({ node, key, parent }, text) {
  if (node.type === 'ReturnStatement' && node.argument) {
    const { argument } = node;
    if (isNothing(text.slice(startOf(argument), endOf(argument)))) return;
    yield replacePart(node, { start: startOf(argument), end: endOf(argument) }, 'undefined');
  }
  const isBody = parent?.node.type === 'ArrowFunctionExpression' && key === 'body';
  if (isBody && node.type !== 'BlockStatement' && !isNothing(text.slice(startOf(node), endOf(node)))) {
    yield replaceNode(node, 'undefined');
  }
};

/** `(a = 1)` → `(a)`, `{ a = 1 }` → `{ a }`. */
export const defaultValue: Mutator = function* ({ node }) {
  if (node.type !== 'AssignmentPattern') return;
  yield replacePart(node, { start: endOf(node.left), end: endOf(node) }, '');
};

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
};

/** `a + b` → `a - b`; not where a text is joined, nor where both give the same. */
export const arithmetic: Mutator = function* (site, text) {
  const { node } = site;
  if (node.type !== 'BinaryExpression') return;
  const other = ARITHMETIC[node.operator];
  const isText = [node.left, node.right].some(
    ({ type }) => type === 'StringLiteral' || type === 'TemplateLiteral',
  );
  const neutral = node.operator === '*' || node.operator === '/' ? 1 : 0;
  const isNeutral = node.right.type === 'NumericLiteral' && node.right.value === neutral;
  if (other === undefined || isText || (isNeutral && /[-+*/]/.test(node.operator))) return;
  const left = text.slice(startOf(node.left), endOf(node.left));
  const right = text.slice(startOf(node.right), endOf(node.right));
  const changed = fit(site, `(${left}) ${other} (${right})`, Precedence.sequence);
  yield /^\w+$/.test(left) && /^\w+$/.test(right)
    ? replaceNode(node, fit(site, `${left} ${other} ${right}`, Precedence.and))
    : replaceNode(node, changed);
};

const ASSIGNMENTS: Readonly<Record<string, string>> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '%=': '*=',
  '&&=': '=',
  '||=': '=',
  '??=': '=',
};

/** `a += b` → `a -= b`, `a++` → `a--`; not the step of a `for` loop, which would not end. */
export const assignment: Mutator = function* ({ node, key }, text) {
  if (key === 'update') return;
  if (node.type === 'AssignmentExpression') {
    const other = ASSIGNMENTS[node.operator];
    if (other === undefined) return;
    const start = text.indexOf(node.operator, endOf(node.left));
    yield replacePart(node, { start, end: start + node.operator.length }, other);
  }
  if (node.type === 'UpdateExpression') {
    const at = node.prefix ? startOf(node) : endOf(node) - 2;
    yield replacePart(node, { start: at, end: at + 2 }, node.operator === '++' ? '--' : '++');
  }
};

/** `-a` → `a`. */
export const sign: Mutator = function* ({ node }) {
  if (node.type !== 'UnaryExpression' || node.operator !== '-') return;
  yield replacePart(node, { start: startOf(node), end: startOf(node.argument) }, ' ');
};

function isNothing(value: string): boolean {
  return /^(?:undefined|null|void 0)$/.test(value);
}

function isRequire({ parent }: Site): boolean {
  return parent?.node.type === 'CallExpression' && /^(?:require|Import)$/.test(nameOfCall(parent) ?? '');
}

function nameOfCall({ node }: Site): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  return node.callee.type === 'Import' ? 'Import' : calleeName(node.callee);
}

/** Whether the text is part of an error's or a log's message, which is said to people and rarely tested. */
function isMessage(site: Site): boolean {
  const holder = nearest(site, ({ type }) =>
    /^(?:New|Call)Expression$|Statement$|^VariableDeclaration$/.test(type),
  );
  const node = holder?.node;
  if (node?.type === 'NewExpression') return /Error$/.test(calleeName(node.callee) ?? '');
  return node?.type === 'CallExpression' && isLog(node.callee);
}

/** Whether a callee writes a log. */
export function isLog(callee: Parameters<typeof objectName>[0]): boolean {
  return /^(?:console|log|logger|debug)$/.test(objectName(callee) ?? calleeName(callee) ?? '');
}
