/** A line without its line end; of a line that is too long, only its head and tail. */
export type BoundedLine =
  | { readonly bytes: number; readonly text: string }
  | { readonly bytes: number; readonly head: string; readonly tail: string };

const NEWLINE = 0x0a;
/** Bytes of head and of tail that are kept of a line that is too long. */
const EDGE = 1024;

interface Unfinished {
  bytes: number;
  parts: Buffer[];
  /** Set for a line that is already too long; `parts` then holds its end. */
  head?: Buffer;
}

/** Lines of a stream of bytes. A line of more than `maxBytes` is never held in memory as a whole. Rejects if the stream does. */
export async function* boundedLines(
  chunks: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): AsyncIterable<BoundedLine> {
  let line: Unfinished = { bytes: 0, parts: [] };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array);
    let start = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
      add(line, bytes.subarray(start, at), maxBytes);
      yield finished(line);
      line = { bytes: 0, parts: [] };
      start = at + 1;
    }
    add(line, bytes.subarray(start), maxBytes);
  }
  if (line.bytes > 0) yield finished(line);
}

function add(line: Unfinished, part: Buffer, maxBytes: number): void {
  if (part.length === 0) return;
  line.bytes += part.length;
  line.parts.push(part);
  if (line.bytes <= maxBytes) return;
  const seen = Buffer.concat(line.parts);
  // Copies, because a slice would keep the whole buffer in memory.
  line.head ??= Buffer.from(seen.subarray(0, EDGE));
  line.parts = [Buffer.from(seen.subarray(-EDGE))];
}

function finished({ bytes, parts, head }: Unfinished): BoundedLine {
  const text = Buffer.concat(parts).toString('utf8');
  return head === undefined ? { bytes, text } : { bytes, head: head.toString('utf8'), tail: text };
}
