import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';

/** A line without its end; undefined in place of one that was longer than allowed. */
export type Line = string | undefined;

const NEWLINE = 0x0a;

/**
 * Lines of a stream, in flat memory: of a line longer than `maxBytes` nothing is kept. Ends where the stream ends
 * or breaks; never throws.
 */
export async function* readLines(stream: Readable, maxBytes: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (): Line => {
    const line = bytes > maxBytes ? undefined : new StringDecoder('utf8').end(Buffer.concat(pieces));
    pieces = [];
    bytes = 0;
    return line;
  };
  const keep = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes > maxBytes) pieces = [];
    else pieces.push(piece);
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, end));
        yield take();
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    }
  } catch {
    // A broken pipe is the end of what there is to read.
  }
  if (bytes > 0) yield take();
}
