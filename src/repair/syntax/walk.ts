import type { Node } from '@babel/types';

/** A node with its position in the tree. */
export interface Site<N extends Node = Node> {
  readonly node: N;
  /** The parent's field that holds the node; empty for the root. */
  readonly key: string;
  /** Index in that field if it is a list, otherwise -1. */
  readonly index: number;
  readonly parent: Site | undefined;
}

/** Calls `visit` for every node with run-time behaviour, parents first; skips types, imports and comments. */
function walkSites(root: Node, visit: (site: Site) => void): void {
  const descend = (site: Site): void => {
    visit(site);
    for (const [key, value] of Object.entries(site.node)) {
      if (SKIPPED_KEYS.has(key)) continue;
      if (Array.isArray(value)) {
        value.forEach((child: unknown, index) => enter(child, { key, index, parent: site }));
      } else {
        enter(value, { key, index: -1, parent: site });
      }
    }
  };
  const enter = (child: unknown, place: Omit<Site, 'node'>): void => {
    if (isNode(child) && runs(child)) descend({ node: child, ...place });
  };
  descend({ node: root, key: '', index: -1, parent: undefined });
}

/** All sites of a tree, parents first. */
export function sitesOf(root: Node): Site[] {
  const sites: Site[] = [];
  walkSites(root, (site) => sites.push(site));
  return sites;
}

/** The nearest site that satisfies the predicate: this one or an ancestor. */
export function nearest(site: Site, test: (node: Node, site: Site) => boolean): Site | undefined {
  for (let at: Site | undefined = site; at !== undefined; at = at.parent) {
    if (test(at.node, at)) return at;
  }
  return undefined;
}

/** The statement around the site, other than a block. */
export function statementOf(site: Site): Site | undefined {
  return nearest(site, (node) => isStatement(node) && node.type !== 'BlockStatement');
}

/** The innermost function around the site; for a function's own site, the site itself. */
export function functionOf(site: Site): Site | undefined {
  return nearest(site, isFunction);
}

/** Whether the node is a function or method with a body. */
export function isFunction(node: Node): boolean {
  return FUNCTIONS.has(node.type);
}

/** Whether the node is a `for`, `while` or `do` statement. */
export function isLoop(node: Node): boolean {
  return LOOPS.has(node.type);
}

/** Whether a `break` or `continue` at the site would belong to a loop of the same function. */
export function inLoop(site: Site): boolean {
  const owner = nearest(site, (node) => isLoop(node) || isFunction(node));
  return owner !== undefined && isLoop(owner.node);
}

/** Whether the node is a statement or a declaration. */
export function isStatement(node: Node): boolean {
  return (
    /Statement$/.test(node.type) ||
    node.type === 'VariableDeclaration' ||
    node.type === 'FunctionDeclaration' ||
    node.type === 'ClassDeclaration' ||
    node.type === 'ExportNamedDeclaration' ||
    node.type === 'ExportDefaultDeclaration'
  );
}

/** Whether the site is an item of a block, program or case, where statements can be inserted and removed. */
export function inStatementList(site: Site): boolean {
  return (
    site.index >= 0 &&
    ((site.key === 'body' &&
      (site.parent?.node.type === 'BlockStatement' || site.parent?.node.type === 'Program')) ||
      (site.key === 'consequent' && site.parent?.node.type === 'SwitchCase'))
  );
}

/** Whether the site is a statement that forms a branch or a loop's body without braces. */
export function isLoneBody({ node, key, parent }: Site): boolean {
  if (parent === undefined || !isStatement(node) || node.type === 'BlockStatement') return false;
  return LONE_KEYS.has(key) && LONE_PARENTS.has(parent.node.type);
}

/** Whether the site is inside a function, so that it runs once per call and not when the module loads. */
export function runsPerCall(site: Site): boolean {
  return site.parent !== undefined && functionOf(site.parent) !== undefined;
}

/** The expression inside any parentheses and type assertions. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return bare(node.expression);
    default:
      return node;
  }
}

/** The last name of what a call calls; undefined for a computed one. */
export function calledName(callee: Node): string | undefined {
  const own = bare(callee);
  if (own.type === 'Identifier') return own.name;
  if (own.type !== 'MemberExpression' && own.type !== 'OptionalMemberExpression') return undefined;
  return own.property.type === 'Identifier' && !own.computed ? own.property.name : undefined;
}

const SKIPPED_KEYS = new Set([
  'loc',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'comments',
  'tokens',
  'errors',
  'directives',
  'interpreter',
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeParameters',
  'implements',
  'predicate',
]);

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);

const LOOPS = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

const LONE_KEYS = new Set(['body', 'consequent', 'alternate']);
const LONE_PARENTS = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

const RUNNING_TS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TSParameterProperty',
  'TSExportAssignment',
  'TSModuleBlock',
  'TSModuleDeclaration',
]);

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}

function runs(node: Node): boolean {
  if (node.type.startsWith('TS')) return RUNNING_TS.has(node.type) && !isDeclared(node);
  return node.type !== 'ImportDeclaration' && node.type !== 'ExportAllDeclaration' && !isDeclared(node);
}

function isDeclared(node: Node): boolean {
  return (node as { declare?: boolean | null }).declare === true;
}
