import { reachedFiles, type ReachedFile } from '../../platform/modules/import-graph.ts';
import { isEditableSource } from './source-files.ts';

/**
 * Source files that `from` imports, directly or through others, nearest first. Paths are relative to the root. `isSource`
 * decides what counts as one.
 */
export function reachedSources(root: string, from: string, isSource = isEditableSource): ReachedFile[] {
  return reachedFiles(root, from).filter(({ file, depth }) => depth > 0 && isSource(file));
}
