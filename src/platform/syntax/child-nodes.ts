import type { Node } from '@babel/types';

/** Fields of a node that hold no part of the program. */
const ASIDE = /^(loc|extra|range|tokens|errors|\w+Comments)$/;

/** The nodes directly below a node, types included, in the order of its fields. */
export function childNodes(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    ASIDE.test(key) ? [] : (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode),
  );
}

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null | undefined)?.type === 'string';
}
