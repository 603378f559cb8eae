import type { Node } from '@babel/types';
import { endOf, startOf, type ParsedSource } from './parse.ts';
import type { Range } from './regions.ts';
import { functionOf, isFunction, nearest, sitesOf, type Site } from './walk.ts';

/** A function with a body, described for instrumentation. */
export interface FunctionInfo extends Range {
  /** Its own name, or that of the variable or property that it is assigned to; empty if it has none. */
  readonly name: string;
  readonly kind: 'function' | 'arrow' | 'method' | 'constructor' | 'getter' | 'setter';
  /** Name of the class that it is a member of, empty for an anonymous class; absent outside classes. */
  readonly className?: string;
  /** Whether it is the constructor of a subclass, in which `super()` must run first and once. */
  readonly derived: boolean;
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  /** The body with its braces; for an arrow function without braces the expression with its parentheses. */
  readonly body: Range;
  /** Whether it is an arrow function without braces. */
  readonly expressionBodied: boolean;
  /** Source texts of the parameters. */
  readonly params: readonly string[];
  /** Names that the parameters bind. */
  readonly paramNames: readonly string[];
  /** Number of enclosing functions. */
  readonly depth: number;
  /** 1-based. */
  readonly startLine: number;
  /** 1-based. */
  readonly endLine: number;
  readonly node: FunctionNode;
}

/** A syntax node of a function. */
export type FunctionNode = Extract<Node, { body: unknown; params: unknown }>;

/** Every function with a body, outer ones before inner ones, in source order. */
export function functionsOf(parsed: ParsedSource): FunctionInfo[] {
  return sitesOf(parsed.tree.program)
    .filter((site) => isFunction(site.node))
    .map((site) => describe(site, parsed.text));
}

/** The innermost function whose body contains the offset. */
export function enclosingFunction(
  functions: readonly FunctionInfo[],
  offset: number,
): FunctionInfo | undefined {
  return functions.findLast(({ body }) => body.start <= offset && offset < body.end);
}

/** Names bound by a parameter, a declaration's target or a pattern. */
export function boundNames(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        property.type === 'RestElement' ? boundNames(property.argument) : boundNames(property.value),
      );
    case 'TSParameterProperty':
      return boundNames(pattern.parameter);
    default:
      return [];
  }
}

function describe(site: Site, text: string): FunctionInfo {
  const node = site.node as FunctionNode;
  const body = node.body as Node;
  const params = node.params as Node[];
  return {
    start: startOf(node),
    end: endOf(node),
    name: nameOf(site),
    kind: kindOf(node),
    ...classOf(site, node),
    isAsync: Boolean('async' in node && node.async),
    isGenerator: Boolean('generator' in node && node.generator),
    body: { start: startOf(body), end: endOf(body) },
    expressionBodied: body.type !== 'BlockStatement',
    params: params.map((param) => text.slice(startOf(param), endOf(param))),
    paramNames: params.flatMap(boundNames),
    depth: depthOf(site),
    startLine: node.loc!.start.line,
    endLine: node.loc!.end.line,
    node,
  };
}

function kindOf(node: Node): FunctionInfo['kind'] {
  if (node.type === 'ArrowFunctionExpression') return 'arrow';
  if (node.type !== 'ObjectMethod' && node.type !== 'ClassMethod' && node.type !== 'ClassPrivateMethod') {
    return 'function';
  }
  if (node.kind === 'get') return 'getter';
  if (node.kind === 'set') return 'setter';
  return node.kind === 'constructor' ? 'constructor' : 'method';
}

function nameOf(site: Site): string {
  const { node, parent } = site;
  if ('id' in node && node.id?.type === 'Identifier') return node.id.name;
  if ('key' in node) return keyName(node.key as Node);
  switch (parent?.node.type) {
    case 'VariableDeclarator':
      return keyName(parent.node.id);
    case 'AssignmentExpression':
      return keyName(parent.node.left);
    case 'ObjectProperty':
    case 'ClassProperty':
    case 'ClassPrivateProperty':
      return keyName(parent.node.key);
    default:
      return '';
  }
}

function keyName(key: Node): string {
  switch (key.type) {
    case 'Identifier':
      return key.name;
    case 'StringLiteral':
      return key.value;
    case 'PrivateName':
      return `#${key.id.name}`;
    case 'MemberExpression':
      return keyName(key.property);
    default:
      return '';
  }
}

function classOf(site: Site, node: Node): { className?: string; derived: boolean } {
  if (node.type !== 'ClassMethod' && node.type !== 'ClassPrivateMethod') return { derived: false };
  const owner = nearest(site, ({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression');
  if (owner?.node.type !== 'ClassDeclaration' && owner?.node.type !== 'ClassExpression') {
    return { derived: false };
  }
  return {
    className: owner.node.id?.name ?? '',
    derived: node.kind === 'constructor' && Boolean(owner.node.superClass),
  };
}

function depthOf(site: Site): number {
  let depth = 0;
  for (let at = site.parent && functionOf(site.parent); at; at = at.parent && functionOf(at.parent)) depth++;
  return depth;
}
