import type { Node } from '@babel/types';
import { specifierOf } from '../acceptance/syntax.ts';
import type { Site } from '../../repair/syntax/walk.ts';

/** A local name that stands for a module or for one of its members. */
export interface ImportedName {
  readonly module: string;
  /** Undefined for the module itself. */
  readonly member: string | undefined;
}

/** The local names that a file imports or requires. */
export function importedNames(
  body: readonly Node[],
  sites: readonly Site[],
): ReadonlyMap<string, ImportedName> {
  const names = new Map<string, ImportedName>();
  for (const node of body) {
    if (node.type !== 'ImportDeclaration') continue;
    for (const specifier of node.specifiers) {
      const { local } = specifier;
      const member =
        specifier.type === 'ImportSpecifier'
          ? specifier.imported.type === 'Identifier'
            ? specifier.imported.name
            : specifier.imported.value
          : undefined;
      names.set(local.name, {
        module: node.source.value,
        member: member === 'default' ? undefined : member,
      });
    }
  }
  for (const { node } of sites) if (node.type === 'VariableDeclarator') addRequired(node, names);
  return names;
}

function addRequired(
  { id, init }: Extract<Node, { type: 'VariableDeclarator' }>,
  names: Map<string, ImportedName>,
): void {
  const call = init?.type === 'AwaitExpression' ? init.argument : init;
  const module = call && moduleOf(call);
  if (module === undefined || module === null) return;
  if (id.type === 'Identifier') names.set(id.name, { module, member: undefined });
  if (id.type !== 'ObjectPattern') return;
  for (const property of id.properties) {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') continue;
    const { value } = property;
    if (value.type === 'Identifier') names.set(value.name, { module, member: property.key.name });
  }
}

/** The module of `require('x')`, `import('x')` or `process.getBuiltinModule('x')`. */
function moduleOf(node: Node): string | undefined {
  const specifier = specifierOf(node);
  if (specifier !== undefined || node.type !== 'CallExpression') return specifier;
  const { callee, arguments: given } = node;
  const isBuiltIn =
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'getBuiltinModule';
  return isBuiltIn && given[0]?.type === 'StringLiteral' ? given[0].value : undefined;
}
