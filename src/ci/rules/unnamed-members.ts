import type { Node } from '@babel/types';
import { parsedOf } from '../../workspace/protect/suppressions/parse-source.ts';
import { visit } from './declared-names.ts';
import { isMember, memberNameOf, nameOf } from './member-names.ts';

/** Members and functions that give whatever a value has, by a name that the source need not have. */
const REFLECTING = new Set(
  `constructor __proto__ getPrototypeOf setPrototypeOf getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames
  getOwnPropertySymbols __lookupGetter__ __lookupSetter__ caller callee prepareStackTrace`.split(/\s+/),
);
const LOADING = /^(?:import|require)(?:Actual|Mock)$/;
/** Operators that give a number; a sum may be a text. */
const COUNTING = /^(?:[-*/%&|^]|\*\*|<<|>>>?)$/;

/**
 * Whether a source takes members that its text does not name, or may: nothing that it reaches by them can be read from it.
 * Numbers as keys name an item of a list, and what is declared as a list or a table in the source has what is written there.
 */
export function takesUnnamedMembers(path: string, text: string): boolean {
  const parsed = parsedOf(path, text);
  if (parsed === undefined) return true;
  const names = namesIn(parsed.root);
  let found = false;
  visit(parsed.root, [], (node, parents) => {
    found ||= isUnnamed(node, parents.at(-1), names);
  });
  return found;
}

interface Names {
  /** Variables that hold a list or a table which is written in the source. */
  readonly tables: ReadonlySet<string>;
  /** Variables that count. */
  readonly counters: ReadonlySet<string>;
}

function isUnnamed(node: Node, parent: Node | undefined, names: Names): boolean {
  switch (node.type) {
    case 'Identifier':
      return node.name === 'Reflect' && !isNameOf(node, parent);
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const name = memberNameOf(node);
      if (name !== undefined) return REFLECTING.has(name);
      const isTable = node.object.type === 'Identifier' && names.tables.has(node.object.name);
      return node.property.type !== 'PrivateName' && !isTable && !isNumber(node.property, names);
    }
    case 'ObjectProperty': {
      const name = nameOf(node.key, node.computed);
      if (name !== undefined) return REFLECTING.has(name);
      return parent?.type === 'ObjectPattern' && !isNumber(node.key, names);
    }
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const name = memberNameOf(node.callee);
      const [first] = node.arguments;
      return name !== undefined && LOADING.test(name) && !isOwnModule(first);
    }
    case 'ImportSpecifier':
      return parent?.type === 'ImportDeclaration' && isRunner(parent) && importedName(node) === 'run';
    case 'WithStatement':
      return true;
    default:
      return false;
  }
}

function isNameOf(node: Node, parent: Node | undefined): boolean {
  return (
    parent !== undefined &&
    ((isMember(parent) && 'property' in parent && parent.property === node) ||
      ('key' in parent && parent.key === node))
  );
}

/** A file of the package, as its path. */
function isOwnModule(node: Node | undefined): boolean {
  return node?.type === 'StringLiteral' && /^[.#]/.test(node.value);
}

/** The test runner of Node.js, whose function `run` starts programs. */
function isRunner({ source }: Extract<Node, { type: 'ImportDeclaration' }>): boolean {
  return source.value === 'node:test';
}

function importedName({ imported }: Extract<Node, { type: 'ImportSpecifier' }>): string {
  return imported.type === 'Identifier' ? imported.name : imported.value;
}

function isNumber(node: Node, names: Names): boolean {
  switch (node.type) {
    case 'NumericLiteral':
    case 'UpdateExpression':
      return true;
    case 'UnaryExpression':
      return /^[-+~]$/.test(node.operator);
    case 'BinaryExpression':
      // A text with a number in it is the name of nothing that every value has.
      return COUNTING.test(node.operator) || isNumber(node.left, names) || isNumber(node.right, names);
    case 'Identifier':
      return names.counters.has(node.name);
    default:
      return false;
  }
}

/** Names that every declaration and assignment of the source gives such a value. */
function namesIn(root: Node): Names {
  const values = new Map<string, (Node | undefined)[]>();
  const note = (name: string, value: Node | undefined): void => {
    values.set(name, [...(values.get(name) ?? []), value]);
  };
  visit(root, [], (node, parents) => {
    if (node.type !== 'Identifier') return;
    const parent = parents.at(-1);
    if (parent?.type === 'VariableDeclarator' && parent.id === node)
      note(node.name, parent.init ?? undefined);
    else if (parent?.type === 'AssignmentExpression' && parent.left === node)
      note(node.name, parent.operator === '=' ? parent.right : undefined);
    else if (isGiven(node, parent)) note(node.name, undefined);
  });
  const named = (isSuch: (value: Node | undefined) => boolean): ReadonlySet<string> =>
    new Set([...values].filter(([, all]) => all.every(isSuch)).map(([name]) => name));
  const counters = named((value) => value !== undefined && isNumber(value, NONE));
  return { tables: named((value) => /^(?:Array|Object)Expression$/.test(value?.type ?? '')), counters };
}

const NONE: Names = { tables: new Set(), counters: new Set() };

/** Whether a name gets its value elsewhere: as a parameter, in a pattern or a loop. */
function isGiven(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if ('params' in parent && Array.isArray(parent.params)) return (parent.params as Node[]).includes(node);
  if (parent.type === 'ObjectProperty') return parent.value === node && parent.shorthand;
  return /^(?:ArrayPattern|RestElement|AssignmentPattern|CatchClause|Import\w*Specifier)$/.test(parent.type);
}
