import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { suspicionAt } from '../syntax/regions.ts';
import { isFunction, sitesOf } from '../syntax/walk.ts';
import type { SuspectRegion } from './localise.ts';

/** Suspicion of a constant, as a share of its most suspicious reader's. */
const READER_SHARE = 0.7;

/**
 * Regions of top-level constants, such as patterns and tables, that suspected statements read. They are evaluated
 * when the file is loaded, so no test's trace contains them. Functions are left out.
 */
export function constantRegions(
  { tree }: ParsedSource,
  suspected: readonly SuspectRegion[],
): SuspectRegion[] {
  const readers = sitesOf(tree.program).filter(({ node }) => node.type === 'Identifier');
  return tree.program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ id, init }) => {
      if (id.type !== 'Identifier' || !init || isFunction(init)) return [];
      const weights = readers
        .filter(({ node }) => node.type === 'Identifier' && node.name === id.name && node !== id)
        .map(({ node }) => suspicionAt(startOf(node), suspected));
      const weight = Math.max(0, ...weights) * READER_SHARE;
      return weight === 0
        ? []
        : [{ start: startOf(init), end: endOf(init), line: init.loc!.start.line, weight }];
    });
  });
}
