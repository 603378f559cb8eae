import type { WorkspaceFiles } from '../shown-files/workspace-files.ts';
import type { Block, SearchReplace } from './search-replace.ts';

/** A block with the path of its file. */
export interface PlacedBlock {
  readonly path: string;
  readonly edit: SearchReplace;
}

/**
 * Assigns a block to the first path whose file contains its old text in one of the readings, as whole lines if
 * possible; else to the first path. Undefined without paths.
 */
export function placeBlock(
  { readings }: Block,
  paths: readonly string[],
  files: WorkspaceFiles,
): PlacedBlock | undefined {
  const asWritten = readings[0]!;
  const [first] = paths;
  if (first === undefined) return undefined;
  if (asWritten.oldText.trim() === '') return { path: first, edit: asWritten };
  // The longest old text first: with a shorter one, the rest of it would become new text.
  const variants = readings.toReversed().flatMap((edit) => [edit, withoutBlankEdges(edit)]);
  const candidates = variants.flatMap((edit) => [asLines(edit), edit]);
  for (const path of paths) {
    const text = plain(files.readText(path) ?? '');
    const edit = candidates.find(({ oldText }) => text.includes(plain(oldText)));
    if (edit !== undefined) return { path, edit };
  }
  return { path: first, edit: asWritten };
}

/** The edit with the last line end, so that a deletion leaves no blank line. */
function asLines({ oldText, newText }: SearchReplace): SearchReplace {
  return { oldText: `${oldText}\n`, newText: newText === '' ? '' : `${newText}\n` };
}

/** The edit without blank lines at the markers, which models add. */
function withoutBlankEdges({ oldText, newText }: SearchReplace): SearchReplace {
  const strip = (text: string): string => text.replace(/^(?:[ \t]*\n)+|(?:\n[ \t]*)+$/g, '');
  return { oldText: strip(oldText), newText: strip(newText) };
}

function plain(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[ \t]+$/gm, '');
}
