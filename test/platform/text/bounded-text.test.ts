import { describe, expect, it } from 'vitest';
import { boundText } from '../../../src/platform/text/bounded-text.ts';

describe('a text that is too long', () => {
  it('keeps head and tail, and counts what is left out', () => {
    const bounded = boundText(`head ${'x '.repeat(500)}tail`, 100);
    expect(bounded).toMatch(/^head x [x ]+\n\[… 90\d characters left out …\]\n[x ]+tail$/);
  });

  it('leaves out both halves of a token at the cut', () => {
    const token = 'a1B2c3D4'.repeat(5);
    const text = `${'x '.repeat(40)}${token}${' y'.repeat(40)}`;
    for (let limit = 20; limit < text.length; limit++) {
      const [head, tail] = boundText(text, limit).split(/\n\[… \d+ characters left out …\]\n/);
      for (const part of [head!, tail!]) expect(part.includes(token) || !part.includes('a1B2c3')).toBe(true);
    }
  });

  it('counts the characters that are not shown', () => {
    const text = `${'word '.repeat(50)}a1B2c3D4e5${' word'.repeat(50)}`;
    const bounded = boundText(text, 30);
    const cut = Number(/(\d+) characters/.exec(bounded)![1]);
    expect(bounded.replace(/\n\[.*\]\n/, '')).toHaveLength(text.length - cut);
  });
});
