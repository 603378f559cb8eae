import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';

/** A line without its line end; undefined for a line that was too long. */
export type Line = string | undefined;

const NEWLINE = 0x0a;

/**
 * The lines of a stream in bounded memory: lines longer than `maxBytes` are dropped. Ends when the stream ends or
 * fails; never throws.
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
    // A broken pipe ends the output.
  }
  if (bytes > 0) yield take();
}
