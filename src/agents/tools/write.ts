import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { countLines } from '../../platform/text/line-diff.ts';
import { plural } from '../../platform/text/plural.ts';
import { refuseRedactionMarker } from './refuse-redaction-marker.ts';
import { changesBetween, toActionChanges } from './line-changes.ts';
import { placeOf, type Place } from './paths.ts';
import { isBinary, readTextFile } from './text-file.ts';
import type { ToolRun } from './tool.ts';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

/** The `write` tool: creates or replaces a file with exactly the given text, as UTF-8. */
export const write: ToolRun<WriteInput> = ({ path, content }, context) => {
  const place = placeOf(path, 'write', context);
  const before = textBefore(place);
  if (before === content) {
    const action = {
      type: 'other',
      description: 'Wrote the text that the file had already.',
      file_path: place.path,
    } as const;
    return { text: `${place.shown} has this text already.`, action };
  }
  refuseRedactionMarker(place, before ?? '', content);
  createFolderOf(place);
  writeFileSync(place.absolute, content);
  const { additions, deletions, diff } = toActionChanges(changesBetween(before ?? '', content));
  return {
    text: place.exists
      ? `Replaced ${place.shown}: ${plural(countLines(before ?? ''), 'line')} became ${countLines(content)}.`
      : `Created ${place.shown}, ${plural(countLines(content), 'line')}.`,
    action: {
      type: place.exists ? 'code_modification' : 'file_creation',
      description: `${place.exists ? 'Replaced' : 'Created'} ${place.path}.`,
      file_path: place.path,
      changes: { additions, deletions, diff },
    },
  };
};

function createFolderOf({ absolute, shown }: Place): void {
  try {
    mkdirSync(dirname(absolute), { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new Error(`A part of ${shown} is a file, not a folder; give another path.`, { cause: error });
  }
}

/** The text of the file; undefined if there is none; empty for a binary file, which may be replaced. */
function textBefore(place: Place): string | undefined {
  if (!place.exists) return undefined;
  const stat = statSync(place.absolute);
  if (stat.isDirectory()) throw new Error(`${place.shown} is a folder; give the path of a file.`);
  if (stat.isFile() && isBinary(place.absolute)) return '';
  return readTextFile(place).text;
}
