import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { refuseMarker } from './refuse-marker.ts';
import { changeOfWhole, toActionChanges } from './line-changes.ts';
import { placeOf, type Place } from './paths.ts';
import { isBinary, readTextFile } from './text-file.ts';
import type { ToolRun } from './tool.ts';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

/** Creates or replaces a file with exactly the given text, as UTF-8. */
export const write: ToolRun<WriteInput> = ({ path, content }, setting) => {
  const place = placeOf(path, 'write', setting);
  const before = textBefore(place);
  if (before === content) {
    const action = {
      type: 'other',
      description: 'Wrote the text that was there.',
      file_path: place.path,
    } as const;
    return { text: `${place.shown} has this text already.`, action };
  }
  refuseMarker(place, before ?? '', content);
  makeFolderOf(place);
  writeFileSync(place.absolute, content);
  const { additions, deletions, diff } = toActionChanges(changeOfWhole(before ?? '', content));
  return {
    text: place.exists
      ? `Replaced ${place.shown}: ${countLines(before ?? '')} lines became ${countLines(content)}.`
      : `Created ${place.shown}, ${countLines(content)} lines.`,
    action: {
      type: place.exists ? 'code_modification' : 'file_creation',
      description: `${place.exists ? 'Replaced' : 'Created'} ${place.path}.`,
      file_path: place.path,
      changes: { additions, deletions, diff },
    },
  };
};

function makeFolderOf({ absolute, shown }: Place): void {
  try {
    mkdirSync(dirname(absolute), { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new Error(`A part of ${shown} is a file, not a folder; give another path.`, { cause: error });
  }
}

/** Undefined where there is no file; empty for a binary one, which may be replaced all the same. */
function textBefore(place: Place): string | undefined {
  if (!place.exists) return undefined;
  const stat = statSync(place.absolute);
  if (stat.isDirectory()) throw new Error(`${place.shown} is a folder; give the path of a file.`);
  if (stat.isFile() && isBinary(place.absolute)) return '';
  return readTextFile(place).text;
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
