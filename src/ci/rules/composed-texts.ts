import type { Node } from '@babel/types';
import { visit } from './declared-names.ts';
import { isMember, memberNameOf, nameOf } from './member-names.ts';

/** A text that the code of a source has as a value, with all that is put together around it. */
export interface ComposedText {
  /** Parts that only a run knows are {@link UNKNOWN}. */
  readonly value: string;
  /** 1-based. */
  readonly line: number;
}

export const UNKNOWN = '\0';
const LONGEST = 10_000;
type Value = string | readonly string[];
/** Variables that are declared once with a value and never changed. */
type Constants = ReadonlyMap<string, Node>;

/** The texts of a source: sums, templates, `concat`, `join` and constants are put together before. */
export function composedTexts(root: Node): ComposedText[] {
  const constants = constantsIn(root);
  const seen = new Set<Node>();
  const found: ComposedText[] = [];
  visit(root, [], (node) => {
    if (seen.has(node) || !isComposed(node)) return;
    const value = valueOf(node, constants, seen);
    if (typeof value === 'string' && value !== UNKNOWN && value.length <= LONGEST)
      found.push({ value, line: node.loc!.start.line });
  });
  return found;
}

function isComposed({ type }: Node): boolean {
  return /^(?:StringLiteral|TemplateLiteral|BinaryExpression|(?:Optional)?CallExpression)$/.test(type);
}

/** The value of an expression, as far as it is written; `seen` gets the nodes that are part of it. */
function valueOf(node: Node, constants: Constants, seen: Set<Node>, depth = 0): Value {
  const inner = (it: Node): Value => (depth > 40 ? UNKNOWN : valueOf(it, constants, seen, depth + 1));
  const textOf = (it: Node): string => textIn(inner(it));
  switch (node.type) {
    case 'StringLiteral':
      seen.add(node);
      return node.value;
    case 'NumericLiteral':
      return String(node.value);
    case 'TemplateLiteral':
      seen.add(node);
      return node.quasis
        .map(({ value }, at) => {
          const next = node.expressions[at];
          return (value.cooked ?? value.raw) + (next === undefined ? '' : textOf(next));
        })
        .join('');
    case 'BinaryExpression':
      if (node.operator !== '+') return UNKNOWN;
      seen.add(node);
      return textOf(node.left) + textOf(node.right);
    case 'ArrayExpression':
      return node.elements.map((it) => (it === null ? '' : textOf(it)));
    case 'Identifier': {
      const value = constants.get(node.name);
      // The text itself is looked at where it stands, too.
      return value === undefined || depth > 40 ? UNKNOWN : valueOf(value, constants, new Set(), depth + 1);
    }
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return inner(node.expression);
    case 'CallExpression':
    case 'OptionalCallExpression':
      return isMember(node.callee) && 'object' in node.callee
        ? called(memberNameOf(node.callee), inner(node.callee.object as Node), node.arguments.map(textOf))
        : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function textIn(value: Value): string {
  return typeof value === 'string' ? value : value.join(',');
}

/** The result of a method of a text or a list; UNKNOWN where it cannot be told. */
function called(name: string | undefined, owner: Value, args: readonly string[]): Value {
  if (typeof owner !== 'string') {
    if (name === 'join') return owner.join(args[0] ?? ',');
    return name === 'reverse' || name === 'toReversed' ? owner.toReversed() : UNKNOWN;
  }
  switch (name) {
    case 'concat':
      return owner + args.join('');
    case 'split':
      return owner.includes(UNKNOWN) ? UNKNOWN : owner.split(args[0] ?? UNKNOWN);
    case 'toLowerCase':
    case 'trim':
    case 'toString':
    case 'normalize':
      return owner;
    default:
      return UNKNOWN;
  }
}

function constantsIn(root: Node): Constants {
  const values = new Map<string, Node | undefined>();
  visit(root, [], (node, parents) => {
    const parent = parents.at(-1);
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
      const { name } = node.id;
      values.set(name, values.has(name) ? undefined : (node.init ?? undefined));
    } else if (node.type === 'Identifier' && parent && 'params' in parent) values.set(node.name, undefined);
    else if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier')
      values.set(node.left.name, undefined);
  });
  return new Map([...values].flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}

/** Names of hosts in options of requests, such as `{ hostname: 'shop.example' }`. */
export function hostsIn(root: Node): ComposedText[] {
  const constants = constantsIn(root);
  const found: ComposedText[] = [];
  visit(root, [], (node) => {
    if (node.type !== 'ObjectProperty' || !/^host(?:name)?$/.test(nameOf(node.key, node.computed) ?? ''))
      return;
    const value = valueOf(node.value, constants, new Set());
    if (typeof value === 'string') found.push({ value, line: node.loc!.start.line });
  });
  return found;
}
