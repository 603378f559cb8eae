import type { Node } from '@babel/types';
import { childNodes } from '../../../platform/syntax/child-nodes.ts';

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
  return childNodes(type).some(namesAny);
}

/** The kind of a node's annotation, such as `TSUnknownKeyword`. */
export function annotatedKeyword(node: Node): string | undefined {
  const annotation = annotationOf(node);
  return annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation.type : undefined;
}

/** Calls `onNode` for a node and every node below it. */
export function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const child of childNodes(node)) visit(child, onNode);
}
