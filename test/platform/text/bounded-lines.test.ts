import { describe, expect, it } from 'vitest';
import { boundedLines, type BoundedLine } from '../../../src/platform/text/bounded-lines.ts';

async function linesOf(chunks: readonly Uint8Array[], maxBytes = 100): Promise<BoundedLine[]> {
  const source = async function* (): AsyncIterable<Uint8Array> {
    yield* chunks;
  };
  const lines: BoundedLine[] = [];
  for await (const line of boundedLines(source(), maxBytes)) lines.push(line);
  return lines;
}

const textsOf = (lines: readonly BoundedLine[]): (string | undefined)[] =>
  lines.map((line) => ('text' in line ? line.text : undefined));

describe('boundedLines', () => {
  it('yields every line, wherever chunks of the stream begin', async () => {
    const bytes = Buffer.from('één\n\nzwei 👩‍👧\nlast');
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(textsOf(await linesOf(chunks))).toEqual(['één', '', 'zwei 👩‍👧', 'last']);
    }
  });

  it('yields length, head and tail of a line that is too long, and then the next line', async () => {
    const long = Buffer.from(`begin${'x'.repeat(5000)}end\n`);
    const lines = await linesOf([
      Buffer.from('a\n'),
      long.subarray(0, 3000),
      long.subarray(3000),
      Buffer.from('b'),
    ]);
    expect(textsOf(lines)).toEqual(['a', undefined, 'b']);
    expect(lines[1]).toMatchObject({
      bytes: 5008,
      head: expect.stringMatching(/^beginx+$/),
      tail: expect.stringMatching(/^x+end$/),
    });
  });
});
