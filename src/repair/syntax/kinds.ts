import type { Node } from '@babel/types';
import { bare, type Site } from './walk.ts';

/** Probable type of an expression's value; a guess that only affects which edits are proposed and their order. */
export type Kind = 'number' | 'string' | 'boolean' | 'array' | 'function' | 'object' | 'unknown';

/** Creates a guesser that reads literals, operators and well-known members; for names, how the file uses them. */
export function createKindGuesser(sites: readonly Site[]): (node: Node) => Kind {
  const kindsByName = evidenceOf(sites);
  const guess = (expression: Node): Kind => {
    const node = bare(expression);
    if (node.type === 'Identifier') return kindsByName.get(node.name) ?? 'unknown';
    return kindOf(node, guess);
  };
  for (const { node } of sites) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      const kind = guess(node.init);
      if (kind !== 'unknown') kindsByName.set(node.id.name, kind);
    }
  }
  return guess;
}

/** Whether a value of one kind can plausibly replace one of the other. */
export function isCompatible(a: Kind, b: Kind): boolean {
  return a === b || a === 'unknown' || b === 'unknown';
}

function kindOf(node: Node, guess: (node: Node) => Kind): Kind {
  switch (node.type) {
    case 'NumericLiteral':
    case 'UpdateExpression':
      return 'number';
    case 'StringLiteral':
    case 'TemplateLiteral':
      return 'string';
    case 'BooleanLiteral':
      return 'boolean';
    case 'ArrayExpression':
      return 'array';
    case 'ObjectExpression':
    case 'RegExpLiteral':
      return 'object';
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return 'function';
    case 'UnaryExpression':
      return UNARY[node.operator] ?? 'unknown';
    case 'BinaryExpression':
      return ofBinary(node.operator, guess(node.left), guess(node.right));
    case 'LogicalExpression':
      return guess(node.right);
    case 'ConditionalExpression':
      return guess(node.consequent);
    case 'AwaitExpression':
      return 'unknown';
    case 'MemberExpression':
      return !node.computed && nameOf(node.property) === 'length' ? 'number' : 'unknown';
    case 'CallExpression':
      return ofCall(node.callee, guess);
    default:
      return 'unknown';
  }
}

function ofBinary(operator: string, left: Kind, right: Kind): Kind {
  if (/^([<>]=?|[=!]==?|in|instanceof)$/.test(operator)) return 'boolean';
  if (operator !== '+') return 'number';
  if (left === 'string' || right === 'string') return 'string';
  return left === 'number' || right === 'number' ? 'number' : 'unknown';
}

function ofCall(callee: Node, guess: (node: Node) => Kind): Kind {
  if (callee.type === 'Identifier') return CASTS[callee.name] ?? 'unknown';
  if (callee.type !== 'MemberExpression' || callee.computed) return 'unknown';
  if (callee.object.type === 'Identifier' && callee.object.name === 'Math') return 'number';
  const method = nameOf(callee.property);
  if (method === 'slice' || method === 'concat') return guess(callee.object);
  return RESULTS[method] ?? 'unknown';
}

function evidenceOf(sites: readonly Site[]): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const { node, key, parent } of sites) {
    if (node.type !== 'Identifier' || parent === undefined || kinds.has(node.name)) continue;
    const kind = evidence(key, parent.node);
    if (kind !== 'unknown') kinds.set(node.name, kind);
  }
  return kinds;
}

function evidence(key: string, parent: Node): Kind {
  switch (parent.type) {
    case 'CallExpression':
      return key === 'callee' ? 'function' : 'unknown';
    case 'UpdateExpression':
      return 'number';
    case 'AssignmentExpression':
      return /^[-*/%]/.test(parent.operator) ? 'number' : 'unknown';
    case 'BinaryExpression':
      return /^([-*/%]|\*\*|[<>]=?)$/.test(parent.operator) ? 'number' : 'unknown';
    case 'ForOfStatement':
      return key === 'right' ? 'array' : 'unknown';
    case 'MemberExpression':
      return key === 'object' && !parent.computed
        ? (OWNERS[nameOf(parent.property)] ?? 'unknown')
        : 'unknown';
    default:
      return 'unknown';
  }
}

function nameOf(node: Node): string {
  return node.type === 'Identifier' ? node.name : '';
}

const UNARY: Readonly<Record<string, Kind>> = {
  '!': 'boolean',
  '-': 'number',
  '+': 'number',
  '~': 'number',
  typeof: 'string',
};

const CASTS: Readonly<Record<string, Kind>> = {
  Number: 'number',
  parseInt: 'number',
  parseFloat: 'number',
  String: 'string',
  Boolean: 'boolean',
};

const ARRAY_METHODS = ['map', 'filter', 'flatMap', 'flat', 'sort', 'reverse', 'toSorted', 'split', 'splice'];
const STRING_METHODS = [
  'toUpperCase',
  'toLowerCase',
  'trim',
  'join',
  'replace',
  'replaceAll',
  'padStart',
  'padEnd',
  'repeat',
  'toString',
  'toFixed',
  'charAt',
  'substring',
];
const NUMBER_METHODS = ['indexOf', 'lastIndexOf', 'findIndex', 'charCodeAt', 'codePointAt', 'getTime'];
const BOOLEAN_METHODS = ['includes', 'startsWith', 'endsWith', 'some', 'every', 'has', 'test', 'isArray'];

const RESULTS: Readonly<Record<string, Kind>> = {
  ...table(ARRAY_METHODS, 'array'),
  ...table(STRING_METHODS, 'string'),
  ...table(NUMBER_METHODS, 'number'),
  ...table(BOOLEAN_METHODS, 'boolean'),
  keys: 'array',
  values: 'array',
  entries: 'array',
  from: 'array',
};

const OWNERS: Readonly<Record<string, Kind>> = {
  ...table(
    [
      'push',
      'pop',
      'shift',
      'unshift',
      'map',
      'filter',
      'reduce',
      'forEach',
      'sort',
      'splice',
      'join',
      'some',
      'every',
      'find',
      'flatMap',
      'reverse',
    ],
    'array',
  ),
  ...table(
    [
      'toUpperCase',
      'toLowerCase',
      'trim',
      'split',
      'charCodeAt',
      'charAt',
      'replace',
      'padStart',
      'startsWith',
      'endsWith',
      'substring',
    ],
    'string',
  ),
  ...table(['toFixed'], 'number'),
};

function table(names: readonly string[], kind: Kind): Record<string, Kind> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}
