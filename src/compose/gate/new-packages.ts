import { posix } from 'node:path';
import { joinList } from '../../prompts/phrases.ts';
import type { TreeId } from '../../ports/tree.ts';
import { addedPackages } from '../../workspace/protect/added-packages.ts';
import type { Snapshots } from '../../workspace/snapshots/snapshots.ts';

const MOST_SHOWN = 5;

/** A sentence for each package.json that lists further packages: they were let go, and their code is not judged. */
export async function newPackages(from: TreeId, to: TreeId, snapshots: Snapshots): Promise<string[]> {
  const changed = (await snapshots.entryChanges(from, to)).filter(
    ({ path, before, after }) =>
      before !== undefined && after !== undefined && posix.basename(path.toString('utf8')) === 'package.json',
  );
  if (changed.length === 0) return [];
  const texts = await snapshots.readBlobs(changed.flatMap(({ before, after }) => [before!.id, after!.id]));
  const textOf = (id: string): string => texts.get(id)?.toString('utf8') ?? '';
  return changed.flatMap(({ path, before, after }) => {
    const names = addedPackages(textOf(before!.id), textOf(after!.id));
    if (names.length === 0) return [];
    const more = names.length > MOST_SHOWN ? [`${names.length - MOST_SHOWN} more`] : [];
    const shown = joinList([...names.slice(0, MOST_SHOWN), ...more]);
    return [`New in the dependencies of ${path.toString('utf8')}: ${shown}.`];
  });
}
