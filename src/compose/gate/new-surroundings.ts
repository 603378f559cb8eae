import type { TreeId } from '../../ports/tree.ts';
import { surroundingsReads } from '../../proof/surroundings/reads.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import { isTest } from '../../workspace/protect/protected-paths.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';

const MOST_FILES = 50;
const MOST_SHOWN = 2;

/**
 * Sentences on places of changed sources that newly decide by their surroundings, such as the folder, the process or a file:
 * the tree was judged in a copy, where these may be others.
 */
export async function newSurroundings(from: TreeId, to: TreeId, snapshots: Snapshots): Promise<string[]> {
  const changed = (await snapshots.entryChanges(from, to))
    .map(({ path, before, after }) => ({ file: path.toString('utf8'), before: before?.id, after: after?.id }))
    .filter(({ file, after }) => after !== undefined && isEditableSource(file) && !isTest(file))
    .slice(0, MOST_FILES);
  if (changed.length === 0) return [];
  const texts = await snapshots.readBlobs(
    changed.flatMap(({ before, after }) => [before ?? [], after!].flat()),
  );
  const readsOf = (file: string, id: string | undefined) =>
    surroundingsReads(file, id === undefined ? '' : (texts.get(id)?.toString('utf8') ?? '')).filter(
      ({ use }) => use !== 'value',
    );
  const found = changed.flatMap(({ file, before, after }) => {
    const known = new Set(readsOf(file, before).map(({ what, origin }) => `${what} ${origin}`));
    return readsOf(file, after)
      .filter(({ what, origin }) => !known.has(`${what} ${origin}`))
      .map(({ what, line }) => `${what} at ${file}:${line}`);
  });
  if (found.length === 0) return [];
  const more = found.length > MOST_SHOWN ? ` and ${found.length - MOST_SHOWN} more` : '';
  return [
    `The change newly decides by its surroundings: ${found.slice(0, MOST_SHOWN).join(', ')}${more}. It was judged in a copy of your folder, where these may be others.`,
  ];
}
