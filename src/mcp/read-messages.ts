import { Readable } from 'node:stream';
import { boundedLines } from '../platform/text/bounded-lines.ts';

/** Maximum size of a message. The transport would close the connection at 10 MiB; no tool needs 1 % of this. */
const MAX_BYTES = 4 * 1024 * 1024;

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")`;
const OTHER = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`;
/** The `id` at the start or the end of a message; an `id` further inside belongs to something else. */
const AT_START = new RegExp(String.raw`^\s*\{(?:\s*${OTHER}\s*,)*\s*${ID}\s*,`);
const AT_END = new RegExp(String.raw`,\s*${ID}(?:\s*,\s*${OTHER})*\s*\}\s*$`);

/** A message that was too long to read. */
export interface LongMessage {
  /** Problem and remedy. */
  readonly reason: string;
  /** Id of the request, if its start or end contains it. */
  readonly id?: number | string;
}

/** Reads the client's messages, one per line; messages above 4 MiB are dropped and passed to `onLong`. */
export function readMessages(input: Readable, onLong: (message: LongMessage) => void): Readable {
  const passed = async function* (): AsyncIterable<Buffer> {
    for await (const line of boundedLines(input, MAX_BYTES)) {
      if ('text' in line) yield Buffer.from(`${line.text}\n`);
      else onLong({ reason: reasonOf(line.bytes), ...idIn(line.head, line.tail) });
    }
  };
  return Readable.from(passed(), { objectMode: false });
}

function reasonOf(bytes: number): string {
  return `The message has ${bytes} bytes; the limit is ${MAX_BYTES}. Send smaller messages.`;
}

function idIn(head: string, tail: string): Pick<LongMessage, 'id'> {
  const text = AT_START.exec(head)?.[1] ?? AT_END.exec(tail)?.[1];
  return text === undefined ? {} : { id: JSON.parse(text) as number | string };
}
