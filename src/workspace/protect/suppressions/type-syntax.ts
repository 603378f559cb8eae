import type { Node } from '@babel/types';

/** The annotation of a name, or that of a function's result. */
export function annotationOf(node: Node): Node | undefined {
  if ('returnType' in node && node.returnType) return node.returnType;
  return 'typeAnnotation' in node && node.typeAnnotation ? (node.typeAnnotation as Node) : undefined;
}

/** True for the annotation `: any`. */
export function isAny(annotation: Node | undefined): boolean {
  return annotation?.type === 'TSTypeAnnotation' && annotation.typeAnnotation.type === 'TSAnyKeyword';
}

/** True for a type with `any` in it, but for types of functions. */
export function namesAny(type: Node): boolean {
  if (type.type === 'TSAnyKeyword') return true;
  if (type.type === 'TSFunctionType' || type.type === 'TSConstructorType') return false;
  return childrenOf(type).some(namesAny);
}

/** The kind of a node's annotation, such as `TSUnknownKeyword`. */
export function annotatedKeyword(node: Node): string | undefined {
  const annotation = annotationOf(node);
  return annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation.type : undefined;
}

const NOT_VISITED = new Set([
  'loc',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'extra',
  'tokens',
  'errors',
]);

/** Calls `onNode` for a node and every node below it. */
export function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const child of childrenOf(node)) visit(child, onNode);
}

/** The nodes directly below a node. */
export function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    NOT_VISITED.has(key) ? [] : (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode),
  );
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}
