import type { Node } from '@babel/types';
import { annotatedKeyword, namesAny, visit } from './type-syntax.ts';

/** What the meaning of a place depends on. */
export interface Surroundings {
  readonly isAmbientFile: boolean;
  /** Variables of type `unknown`. */
  readonly unknowns: ReadonlySet<string>;
  /** Constants that hold `null` or `undefined`. */
  readonly nothings: ReadonlySet<string>;
  /** Names of types that are `any` or `never`. */
  readonly loose: ReadonlySet<string>;
  /** Names of type parameters, and of parameters of type `unknown` behind a colon. */
  readonly generic: ReadonlySet<string>;
  /** Names of functions with overloads. */
  readonly overloaded: ReadonlySet<string>;
  /** Names that the source declares or imports. */
  readonly bound: ReadonlySet<string>;
}

/** Names that a source declares or imports, in any scope. */
export function namesBound(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const bind = (pattern: Node): void =>
    visit(pattern, (node) => void (node.type === 'Identifier' && names.add(node.name)));
  visit(root, (node) => {
    if (node.type === 'VariableDeclarator') bind(node.id);
    if (node.type === 'FunctionDeclaration' && node.id) bind(node.id);
    if ('params' in node && Array.isArray(node.params)) (node.params as Node[]).forEach(bind);
    if (node.type === 'ImportDeclaration') for (const { local } of node.specifiers) bind(local);
  });
  return names;
}

/** Variables that hold a value under the type `unknown`; results of calls need that type until they are checked. */
export function namesOfUnknown(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  visit(root, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return;
    const isCast = isCastToUnknown(node.init);
    const inner = isCast && 'expression' in node.init ? (node.init.expression as Node) : node.init;
    const isUnknown = isCast || annotatedKeyword(node.id) === 'TSUnknownKeyword';
    if (isUnknown && !['CallExpression', 'AwaitExpression', 'NewExpression'].includes(inner.type))
      names.add(node.id.name);
  });
  return names;
}

/** Names of a source whose meaning decides about other places. */
export function namesIn(root: Node): Pick<Surroundings, 'nothings' | 'loose' | 'generic' | 'overloaded'> {
  const [nothings, loose, generic, overloaded] = [0, 1, 2, 3].map(() => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  visit(root, (node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'const')
      for (const { id, init } of node.declarations)
        if (id.type === 'Identifier' && init && isNothing(init)) nothings.add(id.name);
    if (node.type === 'TSTypeAliasDeclaration' && isAnyType(node.typeAnnotation)) loose.add(node.id.name);
    if (node.type === 'TSDeclareFunction' && node.id) overloaded.add(node.id.name);
    if (node.type === 'TSTypeParameter') generic.add(nameOfParameter(node.name));
    if ('params' in node && Array.isArray(node.params))
      for (const it of node.params as Node[])
        if (it.type === 'Identifier' && annotatedKeyword(it) === 'TSUnknownKeyword')
          generic.add(`:${it.name}`);
  });
  return { nothings, loose, generic, overloaded };
}

function nameOfParameter(name: unknown): string {
  return typeof name === 'string' ? name : String((name as { name?: unknown }).name);
}

/** `any` or `never`, a member of a type with `any`, or the result of a function of the language that returns it. */
export function isAnyType(node: Node): boolean {
  if (node.type === 'TSAnyKeyword' || node.type === 'TSNeverKeyword') return true;
  if (node.type === 'TSIndexedAccessType') return namesAny(node.objectType);
  if (node.type !== 'TSTypeReference' || node.typeName.type !== 'Identifier') return false;
  const [first] = node.typeParameters?.params ?? [];
  if (node.typeName.name !== 'ReturnType' || first?.type !== 'TSTypeQuery') return false;
  const { exprName } = first;
  return exprName.type === 'TSQualifiedName'
    ? exprName.left.type === 'Identifier' && exprName.left.name === 'JSON'
    : exprName.type === 'Identifier' && exprName.name === 'eval';
}

/** `value as unknown`. */
export function isCastToUnknown(node: Node): boolean {
  const inner = node.type === 'ParenthesizedExpression' ? node.expression : node;
  const isCast = inner.type === 'TSAsExpression' || inner.type === 'TSTypeAssertion';
  return isCast && inner.typeAnnotation.type === 'TSUnknownKeyword';
}

/** `null` or `undefined`. */
export function isNothing(node: Node): boolean {
  const inner = node.type === 'ParenthesizedExpression' ? node.expression : node;
  return inner.type === 'NullLiteral' || (inner.type === 'Identifier' && inner.name === 'undefined');
}
