import { Readable } from 'node:stream';
import { boundedLines } from '../platform/text/bounded-lines.ts';

/** Of one message: the transport would close the connection at 10 MiB, and no tool takes a hundredth of this. */
const MAX_BYTES = 4 * 1024 * 1024;

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")`;
const OTHER = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`;
/** At either end, and not within anything: an `id` further in is that of something else. */
const AT_START = new RegExp(String.raw`^\s*\{(?:\s*${OTHER}\s*,)*\s*${ID}\s*,`);
const AT_END = new RegExp(String.raw`,\s*${ID}(?:\s*,\s*${OTHER})*\s*\}\s*$`);

/** A message that was left out. */
export interface LongMessage {
  /** What is wrong with it, and what to do. */
  readonly reason: string;
  /** Of the request that it was, where its beginning or its end says so. */
  readonly id?: number | string;
}

/** The client's lines, one at a time and whole; one that is too long is left out and told of. */
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
  return `The message has ${bytes} bytes; at most ${MAX_BYTES} are read. Send less at once.`;
}

function idIn(head: string, tail: string): Pick<LongMessage, 'id'> {
  const text = AT_START.exec(head)?.[1] ?? AT_END.exec(tail)?.[1];
  return text === undefined ? {} : { id: JSON.parse(text) as number | string };
}
