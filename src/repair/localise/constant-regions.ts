import type { SuspectRegion } from './localise.ts';
import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { suspicionAt } from './rank.ts';
import { isFunction, sitesOf } from '../syntax/walk.ts';

/** Share of a statement's suspicion that a constant which it reads takes over. */
const SHARE = 0.7;

/**
 * Patterns, tables and other constants of a file that suspected statements read: as suspicious, nearly, as the
 * most suspicious reader. They run before any test does, so that no trace tells of them. Functions are left out.
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
      const weight = Math.max(0, ...weights) * SHARE;
      return weight === 0
        ? []
        : [{ start: startOf(init), end: endOf(init), line: init.loc!.start.line, weight }];
    });
  });
}
