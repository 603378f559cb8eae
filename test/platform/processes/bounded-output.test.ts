import { describe, expect, it } from 'vitest';
import { BoundedOutput } from '../../../src/platform/processes/bounded-output.ts';

/** The bounded output of a text that arrives in pieces of `piece` bytes. */
function kept(text: string, limit: number, piece = 7): string {
  const output = new BoundedOutput(limit);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) output.append(bytes.subarray(at, at + piece));
  return output.toString();
}

describe('bounded output', () => {
  it.each([1, 2, 3, 1000])('is the whole text up to the limit, in pieces of %i bytes', (piece) => {
    const text = 'größe 語 🎈 end';
    expect(kept(text, Buffer.byteLength(text), piece)).toBe(text);
  });

  it.each([1, 7, 1000])('is head and tail of a longer text, in pieces of %i bytes', (piece) => {
    const text = `head ${'- '.repeat(5000)}tail`;
    expect(kept(text, 40, piece)).toBe(
      `head ${'- '.repeat(7)}-\n[… ${text.length - 40} bytes left out …]\n${'- '.repeat(8)}tail`,
    );
  });

  it('contains no half character and no half token', () => {
    for (let limit = 20; limit < 60; limit++) {
      const shown = kept(`${'語'.repeat(20)}${'語'.repeat(20)}`, limit);
      expect(shown).not.toContain('\uFFFD');
      const token = 'a1B2c3D4'.repeat(5);
      expect(kept(`${'x '.repeat(20)}${token}${' y'.repeat(20)}`, limit)).not.toContain('a1B2c3');
    }
  });

  it('is empty for a limit of 0', () => {
    expect(kept('secret', 0)).toBe('\n[… 6 bytes left out …]\n');
  });

  it('drops the bytes that it does not keep', () => {
    const output = new BoundedOutput(1000);
    const before = process.memoryUsage().arrayBuffers;
    for (let piece = 0; piece < 20_000; piece++) output.append(Buffer.alloc(64 * 1024, 120));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(300 * 1024 * 1024);
    expect(output.toString()).toMatch(/^x+\n\[… 1310719\d{3} bytes left out …\]\nx+$/);
  });
});
