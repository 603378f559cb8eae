import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { sitesOf } from '../syntax/walk.ts';
import type { SuspectRegion } from './localise.ts';

/**
 * Regions of the closing braces whose blocks failing tests reach to the end, as suspicious as the last statement. No statement
 * begins there, so no trace has them, but one may be missing.
 */
export function blockEnds({ tree }: ParsedSource, suspected: readonly SuspectRegion[]): SuspectRegion[] {
  const weights = new Map(suspected.map(({ start, weight }) => [start, weight]));
  return sitesOf(tree.program).flatMap(({ node }) => {
    const last = node.type === 'BlockStatement' ? node.body.at(-1) : undefined;
    const weight = last === undefined ? undefined : weights.get(startOf(last));
    if (weight === undefined) return [];
    return [{ start: endOf(node) - 1, end: endOf(node), line: node.loc!.end.line, weight }];
  });
}
