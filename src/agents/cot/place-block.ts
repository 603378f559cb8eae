import type { AnsweredFiles } from './answered-files.ts';
import type { Block, SearchReplace } from './search-replace.ts';

/** A block and the file that it is for. */
export interface PlacedBlock {
  readonly path: string;
  readonly edit: SearchReplace;
}

/**
 * The first path whose file has the old text of the block in one of its readings, as whole lines where that fits;
 * else the first path. Undefined where there is no path.
 */
export function placeBlock(
  { readings }: Block,
  paths: readonly string[],
  files: AnsweredFiles,
): PlacedBlock | undefined {
  const asWritten = readings[0]!;
  const [first] = paths;
  if (first === undefined) return undefined;
  if (asWritten.oldText.trim() === '') return { path: first, edit: asWritten };
  // The longest old text that is there: a shorter one would leave the rest of it to the new text.
  const spellings = readings.toReversed().flatMap((edit) => [edit, withoutBlankEdges(edit)]);
  const tried = spellings.flatMap((edit) => [asLines(edit), edit]);
  for (const path of paths) {
    const text = plain(files.textOf(path) ?? '');
    const edit = tried.find(({ oldText }) => text.includes(plain(oldText)));
    if (edit !== undefined) return { path, edit };
  }
  return { path: first, edit: asWritten };
}

/** With the end of the last line, so that a deletion leaves no blank line. */
function asLines({ oldText, newText }: SearchReplace): SearchReplace {
  return { oldText: `${oldText}\n`, newText: newText === '' ? '' : `${newText}\n` };
}

/** Models set blocks off from their markers. */
function withoutBlankEdges({ oldText, newText }: SearchReplace): SearchReplace {
  const strip = (text: string): string => text.replace(/^(?:[ \t]*\n)+|(?:\n[ \t]*)+$/g, '');
  return { oldText: strip(oldText), newText: strip(newText) };
}

function plain(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[ \t]+$/gm, '');
}
