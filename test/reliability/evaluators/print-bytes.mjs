// Prints HEAD, then BYTES bytes, then TAIL: node print-bytes.mjs BYTES (lines|line|binary) (out|err)
import { Buffer } from 'node:buffer';
import { writeSync } from 'node:fs';

const [bytes, shape, stream] = process.argv.slice(2);
const PIECES = {
  lines: Buffer.from('0123456789 abcdefghijklmnopqrstuvwxyz and so on for a while\n'.repeat(16_384)),
  line: Buffer.from('x'.repeat(1 << 20)),
  binary: Buffer.from(Uint8Array.from({ length: 1 << 20 }, (_, at) => (at * 7919 + (at >> 8)) % 256)),
};
const descriptor = stream === 'err' ? 2 : 1;

writeAll(Buffer.from('HEAD\n'));
for (let written = 0; written < Number(bytes); written += PIECES[shape].length) writeAll(PIECES[shape]);
writeAll(Buffer.from('\nTAIL\n'));

function writeAll(buffer) {
  for (let from = 0; from < buffer.length;) {
    try {
      from += writeSync(descriptor, buffer, from);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
