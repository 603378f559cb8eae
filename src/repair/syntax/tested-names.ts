import type { Node } from '@babel/types';
import { parseSource } from './parse.ts';
import { calledName, sitesOf } from './walk.ts';

/** Names that tests use near the places where they failed, nearest first, without duplicates. */
export interface TestedNames {
  /** Methods such as `isValid` that are called on a value. */
  readonly predicates: readonly string[];
  /** Keys of object literals that are passed to calls. */
  readonly options: readonly TestedOption[];
}

/** A key of an object literal that a test passes to a call. */
export interface TestedOption {
  readonly name: string;
  /** Its value is a function. */
  readonly isFunction: boolean;
}

/** No names. */
export const NO_NAMES: TestedNames = { predicates: [], options: [] };

const NEAR_LINES = 20;
const MAX_NAMES = 6;

/** Names at most 20 lines from the given 1-based lines; none if the text does not parse. */
export function testedNames(file: string, text: string, lines: readonly number[]): TestedNames {
  const parsed = lines.length === 0 ? undefined : parseSource(file, text);
  if (parsed === undefined || 'problem' in parsed) return NO_NAMES;
  const near = sitesOf(parsed.tree.program)
    .map((site) => ({ ...site, distance: distanceTo(site.node, lines) }))
    .filter(({ distance }) => distance <= NEAR_LINES)
    .sort((a, b) => a.distance - b.distance);
  const predicates = near.flatMap(({ node }) => predicateOf(node) ?? []);
  const options = near.flatMap(({ node, key }) => (key === 'arguments' ? optionsOf(node) : []));
  const byName = new Map(options.toReversed().map((option) => [option.name, option]));
  return {
    predicates: [...new Set(predicates)].slice(0, MAX_NAMES),
    options: [...byName.values()].toReversed().slice(0, MAX_NAMES),
  };
}

function distanceTo({ loc }: Node, lines: readonly number[]): number {
  return Math.min(...lines.map((line) => Math.abs(line - loc!.start.line)));
}

/** The name of a method such as `x.isValid()`; undefined for other nodes and for functions of a namespace. */
export function predicateOf(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { object } = node.callee;
  const name = calledName(node.callee);
  const isNamespace = object.type === 'Identifier' && /^[A-Z]/.test(object.name);
  return name !== undefined && !isNamespace && node.arguments.length === 0 && /^(is|has|can)[A-Z]/.test(name)
    ? name
    : undefined;
}

function optionsOf(node: Node): TestedOption[] {
  if (node.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((property) => {
    if (property.type === 'SpreadElement' || property.computed || property.key.type !== 'Identifier')
      return [];
    const isFunction = property.type === 'ObjectMethod' || /Function/.test(property.value.type);
    return [{ name: property.key.name, isFunction }];
  });
}
