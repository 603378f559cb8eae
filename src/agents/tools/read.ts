import { plural } from '../../platform/text/plural.ts';
import { placeOf } from './paths.ts';
import { readTextFile } from './text-file.ts';
import type { ToolRun } from './tool.ts';

export interface ReadInput {
  readonly path: string;
  /** The first line to return, 1-based. */
  readonly offset?: number;
  /** The maximum number of lines. */
  readonly limit?: number;
}

export const READ_LINES = 2000;
export const READ_BYTES = 50 * 1024;

/**
 * The `read` tool: returns lines of a text file. They are not numbered: numbers take 12 to 32 % more tokens on source
 * code, and edits match text.
 */
export const read: ToolRun<ReadInput> = ({ path, offset = 1, limit = READ_LINES }, context) => {
  const place = placeOf(path, 'read', context);
  const { text } = readTextFile(place);
  const lines = readableLines(text);
  const from = Math.max(1, offset);
  if (from > Math.max(1, lines.length)) {
    throw new Error(`${place.shown} has only ${plural(lines.length, 'line')}; give a smaller offset.`);
  }
  const count = Math.min(Math.max(1, limit), READ_LINES);
  const shown = within(lines.slice(from - 1, from - 1 + count));
  const last = from - 1 + shown.length;
  return {
    text: text === '' ? '[empty file]' : render(shown, lines, from),
    action: {
      type: 'other',
      description: `Read lines ${Math.min(from, last)} to ${last} of ${lines.length}.`,
      file_path: place.path,
    },
  };
};

/** The lines without line ends; a line end at the end of the text starts no further line. */
function readableLines(text: string): string[] {
  const lines = text
    .replace(/^\u{feff}/u, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** As many whole lines as fit into READ_BYTES; a longer first line is cut. */
function within(lines: readonly string[]): string[] {
  const first = lines[0] ?? '';
  if (Buffer.byteLength(first) > READ_BYTES) {
    return [
      `${Buffer.from(first)
        .subarray(0, READ_BYTES)
        .toString('utf8')
        .replace(/\u{fffd}+$/u, '')}`,
    ];
  }
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > READ_BYTES + 1);
  return end === -1 ? [...lines] : lines.slice(0, end);
}

function render(shown: readonly string[], lines: readonly string[], offset: number): string {
  const last = offset - 1 + shown.length;
  const cutLine =
    shown[0] !== lines[offset - 1]
      ? `line ${offset} is cut: it has ${lines[offset - 1]!.length} characters`
      : '';
  const more =
    last < lines.length ? `lines ${offset}-${last} of ${lines.length}; continue with offset ${last + 1}` : '';
  const notes = [cutLine, more].filter((note) => note !== '').join('; ');
  return shown.join('\n') + (notes === '' ? '' : `\n[${notes}]`);
}
