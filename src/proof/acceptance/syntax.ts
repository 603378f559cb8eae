import { parse } from '@babel/parser';
import type { Node } from '@babel/types';
import { childNodes } from '../../platform/syntax/child-nodes.ts';

/** Parses a JavaScript or TypeScript text by its path's ending. Throws SyntaxError. */
export function parseText(text: string, path: string): readonly Node[] {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  return parse(text, {
    sourceType: 'unambiguous',
    plugins: isTyped ? (/x$/.test(path) ? ['typescript', 'jsx'] : ['typescript']) : ['jsx'],
  }).program.body;
}

/** Visits a node and all nodes inside of it. `parents` are outermost first. */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  visit(node, parents);
  const inner = [...parents, node];
  for (const child of childNodes(node)) walk(child, visit, inner);
}

/** The names that a pattern binds. */
export function boundNames(pattern: Node): string[] {
  const names: string[] = [];
  walk(pattern, (node, parents) => {
    if (node.type === 'Identifier' && !isLabel(node, parents.at(-1))) names.push(node.name);
  });
  return names;
}

/** True for an identifier that is a property name or key and refers to no variable. */
export function isLabel(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'MemberExpression' || parent.type === 'OptionalMemberExpression')
    return parent.property === node && !parent.computed;
  const hasKey =
    parent.type === 'ObjectProperty' || parent.type === 'ObjectMethod' || parent.type === 'ClassMethod';
  return hasKey && parent.key === node && !parent.computed && !('value' in parent && parent.value === node);
}

/** The parts of a member access `object.name` or `object['name']`; undefined for other nodes. */
export function memberOf(node: Node): { readonly object: Node; readonly name: string } | undefined {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return undefined;
  const { object, property, computed } = node;
  if (property.type === 'Identifier' && !computed) return { object, name: property.name };
  return property.type === 'StringLiteral' ? { object, name: property.value } : undefined;
}

/** The path of an `import`, `export … from`, `import()` or `require()`; undefined for other nodes. */
export function specifierOf(node: Node): string | undefined {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return node.source.value;
  if (node.type === 'ExportNamedDeclaration') return node.source?.value;
  if (node.type === 'ImportExpression')
    return node.source.type === 'StringLiteral' ? node.source.value : undefined;
  if (node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  const isRequire = callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require');
  const [first] = node.arguments;
  return isRequire && first?.type === 'StringLiteral' ? first.value : undefined;
}
