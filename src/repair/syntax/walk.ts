import type { Node } from '@babel/types';

/** A node and the way to it from the root. */
export interface Site<N extends Node = Node> {
  readonly node: N;
  /** The parent's field that holds the node; empty for the root. */
  readonly key: string;
  /** Position in that field where it is a list, otherwise -1. */
  readonly index: number;
  readonly parent: Site | undefined;
}

/** Calls `visit` for every node that runs, parents first; types, imports and comments are left out. */
export function walkSites(root: Node, visit: (site: Site) => void): void {
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

/** All sites of a tree in source order, parents first. */
export function sitesOf(root: Node): Site[] {
  const sites: Site[] = [];
  walkSites(root, (site) => sites.push(site));
  return sites;
}

/** The nearest site, this one included, that the test accepts. */
export function nearest(site: Site, test: (node: Node, site: Site) => boolean): Site | undefined {
  for (let at: Site | undefined = site; at !== undefined; at = at.parent) {
    if (test(at.node, at)) return at;
  }
  return undefined;
}

/** The statement in a list or body that holds the site. */
export function statementOf(site: Site): Site | undefined {
  return nearest(site, (node) => isStatement(node) && node.type !== 'BlockStatement');
}

/** The function whose code the site is, if any; a function's own site belongs to itself. */
export function functionOf(site: Site): Site | undefined {
  return nearest(site, isFunction);
}

export function isFunction(node: Node): boolean {
  return FUNCTIONS.has(node.type);
}

export function isLoop(node: Node): boolean {
  return LOOPS.has(node.type);
}

/** Whether a break or continue here belongs to a loop of the same function. */
export function inLoop(site: Site): boolean {
  const owner = nearest(site, (node) => isLoop(node) || isFunction(node));
  return owner !== undefined && isLoop(owner.node);
}

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

/** Whether the site is an item of a block, program or case: a place where statements can come and go. */
export function inStatementList(site: Site): boolean {
  return (
    site.index >= 0 &&
    ((site.key === 'body' &&
      (site.parent?.node.type === 'BlockStatement' || site.parent?.node.type === 'Program')) ||
      (site.key === 'consequent' && site.parent?.node.type === 'SwitchCase'))
  );
}

/** The node without the parentheses and type assertions around it. */
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
