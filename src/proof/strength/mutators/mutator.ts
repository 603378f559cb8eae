import type { Node } from '@babel/types';
import { endOf, startOf } from '../../../repair/syntax/parse.ts';
import { fit } from '../../../repair/syntax/precedence.ts';
import type { Site } from '../../../repair/syntax/walk.ts';

/** A small change that the tests of a line should notice. */
export interface Mutation {
  /** 0-based UTF-16 offset of the first replaced unit. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly replacement: string;
  /** Range to show to people, around the replaced one; the replaced range itself if absent. */
  readonly shown?: { readonly start: number; readonly end: number };
}

/** Yields the mutations of one node, the most telling first. Pure. `text` is the whole file. */
export type Mutator = (site: Site, text: string) => Iterable<Mutation>;

/** Replaces a whole node. */
export function replaceNode(node: Node, replacement: string): Mutation {
  return { start: startOf(node), end: endOf(node), replacement };
}

/** Replaces the site's expression, in parentheses if its parent needs them. */
export function replaceSite(site: Site, replacement: string, precedence: number): Mutation {
  return replaceNode(site.node, fit(site, replacement, precedence));
}

/** Replaces a part of a node; people are shown the whole node. */
export function replacePart(
  node: Node,
  { start, end }: { readonly start: number; readonly end: number },
  replacement: string,
): Mutation {
  return { start, end, replacement, shown: { start: startOf(node), end: endOf(node) } };
}

/** Source text of a node. */
export function textOf(node: Node, text: string): string {
  return text.slice(startOf(node), endOf(node));
}

/** Name of the called function or method; undefined for computed ones. */
export function calleeName(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression';
  return isMember && !callee.computed && callee.property.type === 'Identifier'
    ? callee.property.name
    : undefined;
}

/** Name of the object that a method is called on, such as `console` or `Math`; undefined if it is no plain name. */
export function objectName(callee: Node): string | undefined {
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression';
  return isMember && callee.object.type === 'Identifier' ? callee.object.name : undefined;
}
