import type { Node } from '@babel/types';
import { textIn, type TextKind } from './made-names.ts';

/** The names that a source declares. */
export interface Bound {
  readonly names: Set<string>;
  /** Those that are functions or classes. */
  readonly functions: Set<string>;
  /** Those that hold a text which is written in the source. */
  readonly texts: Map<string, TextKind>;
}

/** Nodes from the outermost to the parent. */
export type Parents = readonly Node[];
type Visitor = (node: Node, parents: Parents) => void;

const IGNORED = new Set([
  'loc',
  'start',
  'end',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
]);
/** Expressions with types in them; other nodes of these languages are types. */
export const TYPED =
  /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TSExportAssignment$|^TSEnum|^TSModule|^TSParameterProperty$|^TSImportEqualsDeclaration$|^TSExternalModuleReference$/;

/** Calls `visitor` for each node that is no type, from the outermost on. */
export function visit(node: Node, parents: Parents, visitor: Visitor): void {
  if (node.type.startsWith('TS') && !TYPED.test(node.type)) return;
  visitor(node, parents);
  const inner = [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (IGNORED.has(key)) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof item === 'object' && item !== null && 'type' in item) visit(item as Node, inner, visitor);
    }
  }
}

export const FUNCTION = /Function|^Class(?:Declaration|Expression)$/;

/** Notes a name that the node declares. */
export function noteBound(node: Node, parents: Parents, { names, functions, texts }: Bound): void {
  const parent = parents.at(-1);
  if (node.type !== 'Identifier' || parent === undefined) return;
  const isNamed =
    (parent.type === 'FunctionDeclaration' ||
      parent.type === 'FunctionExpression' ||
      parent.type === 'ClassDeclaration' ||
      parent.type === 'ClassExpression') &&
    parent.id === node;
  if (isNamed) functions.add(node.name);
  if (parent.type === 'VariableDeclarator' && parent.id === node && isFunction(parent.init, functions))
    functions.add(node.name);
  const isValued = parent.type === 'VariableDeclarator' && parent.id === node && parent.init;
  const text = isValued ? textIn(parent.init!, texts) : undefined;
  if (text !== undefined) texts.set(node.name, text);
  const isImported = /^Import(?:Default|Namespace)?Specifier$/.test(parent.type);
  // As the global name of the same object.
  if (isImported && node.name === 'process' && isOfProcess(parents.at(-2))) return;
  if (isNamed || isImported || isPattern(node, parents)) names.add(node.name);
}

/** A function, or another name of one: `const f = total`. */
function isFunction(value: Node | null | undefined, functions: ReadonlySet<string>): boolean {
  if (value?.type === 'Identifier') return functions.has(value.name);
  return FUNCTION.test(value?.type ?? '');
}

/** `import process from 'node:process'`. */
export function isOfProcess(node: Node | undefined): boolean {
  return (
    node?.type === 'ImportDeclaration' &&
    /^(?:node:)?process$/.test(node.source.value) &&
    node.specifiers.every(({ type, local }) => type === 'ImportDefaultSpecifier' && local.name === 'process')
  );
}

/** Whether an identifier stands where a name is given: a declarator, a parameter, the variable of a catch. */
function isPattern(node: Node, parents: Parents): boolean {
  let inner: Node = node;
  for (const parent of parents.toReversed()) {
    if (parent.type === 'VariableDeclarator') return parent.id === inner;
    if (parent.type === 'CatchClause') return parent.param === inner;
    if ('params' in parent && Array.isArray(parent.params)) return (parent.params as Node[]).includes(inner);
    if (parent.type === 'ObjectProperty' ? parent.value !== inner : false) return false;
    if (parent.type === 'AssignmentPattern' ? parent.left !== inner : false) return false;
    if (
      !/^(?:ObjectProperty|ObjectPattern|ArrayPattern|RestElement|AssignmentPattern|TSParameterProperty)$/.test(
        parent.type,
      )
    )
      return /^TSEnumDeclaration$|^TSModuleDeclaration$|^TSImportEqualsDeclaration$/.test(parent.type);
    inner = parent;
  }
  return false;
}
