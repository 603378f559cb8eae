import { openSync, closeSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { nearest } from '../../platform/text/nearest.ts';
import { printable } from '../../platform/text/printable.ts';
import { statOf, type Place } from './paths.ts';

const MAX_BYTES = 20 * 2 ** 20;
const PROBE_BYTES = 8000;

/** A text file of the workspace. */
export interface TextFile {
  /** The text with its byte order mark and original line ends. */
  readonly text: string;
  /** False if invalid UTF-8 was replaced: such a text must not be written back. */
  readonly isUtf8: boolean;
}

/** Reads a text file. Throws an Error for the model if the place is missing, a folder, a device, binary or too large. */
export function readTextFile(place: Place): TextFile {
  if (!place.exists) throw missingFileError(place);
  const stat = statSync(place.absolute);
  if (stat.isDirectory()) throw new Error(`${place.shown} is a folder; use list.`);
  if (!stat.isFile()) throw new Error(`${place.shown} is not a regular file.`);
  if (isBinary(place.absolute)) throw new Error(`${place.shown} is a binary file of ${stat.size} bytes.`);
  if (stat.size > MAX_BYTES) {
    const megabytes = Math.round(stat.size / 2 ** 20);
    throw new Error(`${place.shown} is too large (${megabytes} MB); look at parts of it with bash.`);
  }
  return decode(readFileSync(place.absolute));
}

/** Tests for a NUL byte near the start, as git does. */
export function isBinary(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const probe = Buffer.alloc(PROBE_BYTES);
    return probe.subarray(0, readSync(file, probe, 0, PROBE_BYTES, 0)).includes(0);
  } finally {
    closeSync(file);
  }
}

/** An Error for a path that does not exist, with the most similar name in the same folder. */
export function missingFileError({ absolute, shown }: Place): Error {
  const folder = dirname(absolute);
  const hasFolder = statOf(folder)?.isDirectory() ?? false;
  const meant = hasFolder ? nearest(basename(absolute), readdirSync(folder)) : undefined;
  const hint = meant === undefined ? 'Find it with list or search.' : `Did you mean ${printable(meant)}?`;
  return new Error(`${shown} does not exist. ${hint}`);
}

function decode(bytes: Buffer): TextFile {
  const text = bytes.toString('utf8');
  return { text, isUtf8: !text.includes('\u{fffd}') || Buffer.from(text, 'utf8').equals(bytes) };
}
