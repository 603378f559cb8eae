import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { sitesOf } from '../../repair/syntax/walk.ts';
import type { ReplayRequest } from '../replay/replay-request.ts';

/**
 * Those of the sources that still have each statement by which they threw an error before. What such an error tells otherwise is
 * a value that was computed otherwise, such as a repaired sum.
 */
export async function keepingErrors(
  sources: readonly string[],
  { request: { root }, baseText }: ReplayRequest,
): Promise<ReadonlySet<string>> {
  const kept = await Promise.all(
    sources.map(async (source) => {
      const now = thrownIn(source, textOf(join(root, source)));
      return thrownIn(source, (await baseText(source)) ?? '').every((statement) => now.includes(statement));
    }),
  );
  return new Set(sources.filter((_, at) => kept[at]));
}

/** Statements that throw, without spaces. */
function thrownIn(source: string, text: string): string[] {
  const parsed = parseSource(source, text);
  if ('problem' in parsed) return [];
  return sitesOf(parsed.tree)
    .filter(({ node }) => node.type === 'ThrowStatement')
    .map(({ node }) => text.slice(startOf(node), endOf(node)).replaceAll(/\s+/g, ''));
}
