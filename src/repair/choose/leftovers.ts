import { bindingsOf } from '../syntax/bindings.ts';
import { endOf, startOf } from '../syntax/parse.ts';
import { isRead } from '../syntax/reads.ts';
import type { Range } from '../syntax/regions.ts';
import type { Site } from '../syntax/walk.ts';

/**
 * Number of variables and parameters, declared inside of a range, that no code reads: what a defect often leaves behind.
 * A parameter before one that is read is not counted, because its place is needed.
 */
export function countUnread(sites: readonly Site[], { start, end }: Range): number {
  const reads = sites.filter((site) => site.node.type === 'Identifier' && isRead(site));
  const bindings = bindingsOf(sites)
    .filter(({ kind }) => kind !== 'function' && kind !== 'class')
    .filter(({ owner, from }) => owner >= 0 && start <= from && from <= end)
    .map((binding) => ({
      ...binding,
      isRead: reads.some(
        ({ node }) =>
          (node as { name?: string }).name === binding.name &&
          binding.start <= startOf(node) &&
          endOf(node) <= binding.end,
      ),
    }));
  return bindings.filter(
    ({ isRead: read, kind, owner, name }, index) =>
      !read &&
      !name.startsWith('_') &&
      !(
        kind === 'param' &&
        bindings
          .slice(index + 1)
          .some((later) => later.kind === 'param' && later.owner === owner && later.isRead)
      ),
  ).length;
}
