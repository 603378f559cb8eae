import { bindingsOf, type Binding } from '../syntax/bindings.ts';
import { endOf, startOf } from '../syntax/parse.ts';
import { isRead } from '../syntax/reads.ts';
import { functionOf, isLoop, nearest, type Site } from '../syntax/walk.ts';
import type { Change } from './change.ts';

/** A variable that the added code reads before the function gives it a value, so that it is always undefined there. */
export function readsEarly({ added, sitesAfter }: Change): string | undefined {
  const reads = sitesAfter.filter(
    (site) => site.node.type === 'Identifier' && isRead(site) && isWithin(site, added),
  );
  if (reads.length === 0) return undefined;
  const variables = bindingsOf(sitesAfter).filter(({ kind }) => /^(var|let|const)$/.test(kind));
  const early = reads.find((site) => isEarly(site, variables, sitesAfter));
  return early === undefined ? undefined : nameOf(early);
}

function isEarly(site: Site, variables: readonly Binding[], sites: readonly Site[]): boolean {
  const at = startOf(site.node);
  const owner = functionOf(site);
  const start = owner === undefined ? -1 : startOf(owner.node);
  const own = variables.filter(
    (binding) =>
      binding.name === nameOf(site) && binding.owner === start && binding.start <= at && at < binding.end,
  );
  if (own.length === 0 || own.some(({ from }) => from <= at)) return false;
  // In a loop, and after an assignment, the variable may have a value.
  if (nearest(site, (node) => isLoop(node) || node === owner?.node)?.node !== owner?.node) return false;
  return !sites.some(
    (other) =>
      other.node.type === 'Identifier' &&
      other.node.name === nameOf(site) &&
      startOf(other.node) < at &&
      startOf(other.node) >= Math.min(...own.map((binding) => binding.start)) &&
      !isRead(other) &&
      other.key !== 'property',
  );
}

function nameOf({ node }: Site): string {
  return node.type === 'Identifier' ? node.name : '';
}

function isWithin({ node }: Site, ranges: Change['added']): boolean {
  return ranges.some(({ start, end }) => start <= startOf(node) && endOf(node) <= end);
}
