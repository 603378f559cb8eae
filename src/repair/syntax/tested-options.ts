import type { Node } from '@babel/types';
import { distanceTo } from './line-distance.ts';
import { parseSource } from './parse.ts';
import { sitesOf } from './walk.ts';

/** A key of an object literal that a test passes to a call. */
export interface TestedOption {
  readonly name: string;
  /** Its value is a function. */
  readonly isFunction: boolean;
}

const NEAR_LINES = 20;
const MAX_OPTIONS = 6;

/** Options that tests pass at most 20 lines from the given 1-based lines, nearest first; none if the text does not parse. */
export function testedOptions(file: string, text: string, lines: readonly number[]): TestedOption[] {
  const parsed = lines.length === 0 ? undefined : parseSource(file, text);
  if (parsed === undefined || 'problem' in parsed) return [];
  const distance = distanceTo(lines);
  const options = sitesOf(parsed.tree.program)
    .filter(({ node, key }) => key === 'arguments' && node.type === 'ObjectExpression')
    .map(({ node }) => ({ node, distance: distance(node.loc!.start.line) }))
    .filter((option) => option.distance <= NEAR_LINES)
    .sort((a, b) => a.distance - b.distance)
    .flatMap(({ node }) => optionsOf(node));
  const byName = new Map(options.toReversed().map((option) => [option.name, option]));
  return [...byName.values()].toReversed().slice(0, MAX_OPTIONS);
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
