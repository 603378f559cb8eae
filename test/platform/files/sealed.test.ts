import { describe, expect, it } from 'vitest';
import { sealedLine, sealedText, unsealLine, unsealText } from '../../../src/platform/files/sealed.ts';

const VALUE = { seq: 1, step: 'ä', data: { reward: 0.5, none: null, list: [1, '"sum":"x"}'] } };

describe('a sealed value', () => {
  it.each([
    ['line', () => unsealLine(sealedLine(VALUE))],
    ['text', () => unsealText(sealedText(VALUE))],
  ])('is read back unchanged from a %s', (_, read) => {
    expect(read()).toEqual({ ok: true, value: VALUE });
  });

  it.each([
    ['line', () => unsealLine(sealedLine(VALUE).replace('0.5', '0.7'))],
    ['text', () => unsealText(sealedText(VALUE).replace('0.5', '0.7'))],
  ])('is refused if one digit of a %s differs', (_, read) => {
    expect(read()).toMatchObject({ ok: false, problem: expect.stringContaining('checksum') as string });
  });

  it('is refused if its seal differs', () => {
    const line = sealedLine(VALUE);
    const other = line.endsWith('0"}') ? '1"}' : '0"}';
    expect(unsealLine(line.slice(0, -3) + other).ok).toBe(false);
  });

  it.each([
    ['name', (text: string) => text.replace('sum"', 'rum"')],
    ['form', (text: string) => text.replace(/.(?="\s*\}\s*$)/, 'x')],
  ])('is refused if the %s of its seal is damaged', (_, harm) => {
    expect(unsealLine(harm(sealedLine({ seq: 1 }))).ok).toBe(false);
    expect(unsealText(harm(sealedText({ seq: 1 }))).ok).toBe(false);
  });

  it('is accepted without a seal', () => {
    expect(unsealLine('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(unsealText('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  });

  it.each(['', '{', '[1', 'null x'])('is reported as invalid JSON: %j', (text) => {
    expect(unsealLine(text).ok).toBe(false);
    expect(unsealText(text).ok).toBe(false);
  });

  it('is returned unchanged if it is not an object', () => {
    expect(unsealText('null')).toEqual({ ok: true, value: null });
    expect(unsealText('7')).toEqual({ ok: true, value: 7 });
  });
});
