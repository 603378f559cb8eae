import type { Node } from '@babel/types';
import { endOf, startOf, type ParsedSource } from '../../src/repair/syntax/parse.ts';
import { functionOf, isStatement, sitesOf, type Site } from '../../src/repair/syntax/walk.ts';

/** A single edit of a source, as somebody may get it wrong. */
export interface Mistake {
  readonly kind: string;
  /** 0-based UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '/',
  '&&': '||',
  '||': '&&',
  '??': '||',
};

const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  push: 'unshift',
  unshift: 'push',
  shift: 'pop',
  pop: 'shift',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  keys: 'values',
  values: 'keys',
  add: 'delete',
};

/**
 * Small mistakes in a source, grouped by kind: a wrong operator, method, number or boolean, a lost negation, two arguments in
 * the wrong order, another parameter, the branches of a condition, a statement or a guard that is missing. They are written
 * down here and not taken from the operators of the search, so that what the search can undo does not decide what is planted.
 */
export function mistakesIn({ tree, text }: ParsedSource): Map<string, Mistake[]> {
  const mistakes = sitesOf(tree.program).flatMap((site) => mistakesAt(site, text));
  return Map.groupBy(mistakes, ({ kind }) => kind);
}

function mistakesAt(site: Site, text: string): Mistake[] {
  const { node, parent } = site;
  const replace = (kind: string, of: Node, replacement: string): Mistake => ({
    ...{ kind, replacement },
    ...{ start: startOf(of), end: endOf(of) },
  });
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const other = OPERATORS[node.operator];
      if (other === undefined || isText(node.left) || isText(node.right)) return [];
      const from = endOf(node.left as Node);
      const at = from + text.slice(from, startOf(node.right)).indexOf(node.operator);
      return [{ kind: 'operator', start: at, end: at + node.operator.length, replacement: other }];
    }
    case 'UnaryExpression':
      return node.operator === '!' && node.argument.type !== 'UnaryExpression'
        ? [replace('negation', node, text.slice(startOf(node.argument), endOf(node.argument)))]
        : [];
    case 'BooleanLiteral':
      return [replace('boolean', node, String(!node.value))];
    case 'NumericLiteral':
      return Number.isInteger(node.value) && node.value < 1000
        ? [replace('number', node, String(node.value === 0 ? 1 : node.value - 1))]
        : [];
    case 'CallExpression': {
      const [first, second, third] = node.arguments;
      const areSwappable = first !== undefined && second !== undefined && third === undefined;
      const between = { start: startOf(first ?? node), end: endOf(second ?? node) };
      if (!areSwappable || first.type !== 'Identifier' || second.type !== 'Identifier') return [];
      return [{ kind: 'arguments', ...between, replacement: `${second.name}, ${first.name}` }];
    }
    case 'Identifier': {
      const isMethod = parent?.node.type === 'MemberExpression' && site.key === 'property';
      const other = Object.hasOwn(METHODS, node.name) ? METHODS[node.name] : undefined;
      if (isMethod) return other === undefined ? [] : [replace('method', node, other)];
      const variable = otherParameter(site);
      return variable === undefined ? [] : [replace('wrong variable', node, variable)];
    }
    case 'ConditionalExpression': {
      const sides = { start: startOf(node.consequent), end: endOf(node.alternate) };
      const swapped = [node.alternate, node.consequent].map((side) => text.slice(startOf(side), endOf(side)));
      return [{ kind: 'wrong branch', ...sides, replacement: swapped.join(' : ') }];
    }
    case 'IfStatement':
      return isGuard(site) ? [replace('missing guard', node, '')] : [];
    case 'ExpressionStatement':
      return parent !== undefined && isInBlock(site) && node.expression.type !== 'StringLiteral'
        ? [replace('missing statement', node, '')]
        : [];
    default:
      return [];
  }
}

/** The parameter before or after the one that the site passes on or compares. */
function otherParameter(site: Site): string | undefined {
  const { node, parent, key } = site;
  const isOperand = key === 'arguments' || (parent?.node.type === 'BinaryExpression' && key !== 'operator');
  const owner = functionOf(site)?.node as { params?: Node[] } | undefined;
  if (!isOperand || node.type !== 'Identifier' || owner?.params === undefined) return undefined;
  const names = owner.params.map((param) => (param.type === 'Identifier' ? param.name : undefined));
  const at = names.indexOf(node.name);
  return at === -1 ? undefined : (names[at + 1] ?? names[at - 1]);
}

function isText({ type }: Node): boolean {
  return type === 'StringLiteral' || type === 'TemplateLiteral';
}

function isGuard(site: Site): boolean {
  const { node } = site;
  if (
    node.type !== 'IfStatement' ||
    (node.alternate !== null && node.alternate !== undefined) ||
    !isInBlock(site)
  )
    return false;
  const { consequent } = node;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

function isInBlock({ node, parent, key }: Site): boolean {
  return isStatement(node) && parent?.node.type === 'BlockStatement' && key === 'body';
}
