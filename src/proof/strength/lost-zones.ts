import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { sitesOf } from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

const LOCAL = /^[gs]et(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)$/;

/**
 * Parts of a date in the zone of the machine, such as `getMonth()`, in the place of the same in UTC, each with the edit that puts UTC
 * back. Where the tests run, both are the same most of the time.
 */
export function lostZones(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap((source) => {
    const isAdded = addedIn(source);
    const words = (text: string, name: string): number => text.split(new RegExp(`\\b${name}\\b`)).length - 1;
    const { parsed, blocks } = source;
    const before = blocks.flatMap((block) => block.before).join('\n');
    return sitesOf(parsed.tree.program).flatMap(({ node, parent }): RevertedBlock[] => {
      if (node.type !== 'Identifier' || !LOCAL.test(node.name) || !isAdded(node)) return [];
      if (!parent?.node.type.endsWith('MemberExpression')) return [];
      const utc = `${node.name.slice(0, 3)}UTC${node.name.slice(3)}`;
      const own = blocks.some(
        ({ line, lines, before: was }) =>
          line <= node.loc!.start.line &&
          node.loc!.start.line < line + lines &&
          words(was.join('\n'), utc) > 0,
      );
      if (!own || words(before, node.name) > 0) return [];
      const part = partOf(source, { start: startOf(node), end: endOf(node), replacement: utc });
      if (part === undefined) return [];
      const { added: _, ...rest } = part;
      return [{ ...rest, removed: utc }];
    });
  });
}
