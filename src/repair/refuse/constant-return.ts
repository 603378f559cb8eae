import type { Node } from '@babel/types';
import { startOf } from '../syntax/parse.ts';
import { functionOf, isFunction, type Site } from '../syntax/walk.ts';
import { isTouched, offsetBefore, type Change } from './change.ts';
import { isResult } from './expected-value.ts';
import { isLiteralNode, valueText } from './literal-value.ts';
import { newLiterals } from './new-literals.ts';

/**
 * A constant that an edit makes a function return: the only result of a function which had others, or a value that
 * neither the code nor its comments know. Undefined if there is none.
 */
export function returnsConstant(change: Change): string | undefined {
  const strange = newLiterals(change).find(
    ({ site }) => isReturnedAlone(site) && isResult(site, change.sitesAfter),
  );
  return strange?.value ?? onlyResult(change);
}

/** `return L`, `=> L`, `c ? L : x` and their like. */
function isReturnedAlone({ node, key, parent }: Site): boolean {
  switch (parent?.node.type) {
    case 'ReturnStatement':
      return node.type !== 'ObjectExpression';
    case 'ArrowFunctionExpression':
      return key === 'body';
    case 'ParenthesizedExpression':
    case 'LogicalExpression':
      return isReturnedAlone(parent);
    case 'ConditionalExpression':
      return key !== 'test' && isReturnedAlone(parent);
    default:
      return false;
  }
}

function onlyResult(change: Change): string | undefined {
  const before = new Map(
    change.sitesBefore.filter(({ node }) => isFunction(node)).map(({ node }) => [startOf(node), node]),
  );
  const results = {
    before: resultsByFunction(change.sitesBefore),
    after: resultsByFunction(change.sitesAfter),
  };
  for (const site of change.sitesAfter) {
    if (!isFunction(site.node) || !isTouched(change, site)) continue;
    const constant = constantOf(results.after.get(site.node) ?? []);
    if (constant === undefined) continue;
    const at = offsetBefore(change, startOf(site.node));
    const old = at === undefined ? undefined : before.get(at);
    const had = old === undefined ? undefined : (results.before.get(old) ?? []);
    const isNewFunction = had === undefined && (site.node as { params: Node[] }).params.length > 0;
    if (isNewFunction || (had !== undefined && had.length > 0 && constantOf(had) === undefined))
      return constant;
  }
  return undefined;
}

function resultsByFunction(sites: readonly Site[]): Map<Node, Node[]> {
  const results = new Map<Node, Node[]>();
  const add = (owner: Node | undefined, result: Node): void => {
    if (owner !== undefined) results.set(owner, [...(results.get(owner) ?? []), result]);
  };
  for (const site of sites) {
    const { node } = site;
    if (node.type === 'ReturnStatement' && node.argument) add(functionOf(site)?.node, node.argument);
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') add(node, node.body);
  }
  return results;
}

/** The value that all results are; undefined if there are several or one is computed. */
function constantOf(results: readonly Node[]): string | undefined {
  if (results.length === 0 || !results.every(isLiteralNode)) return undefined;
  const values = new Set(results.map(valueText));
  return values.size === 1 ? [...values][0] : undefined;
}
