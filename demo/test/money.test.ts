import { describe, expect, it } from 'vitest';
import { formatCents, parseCents, percentOf } from '../src/money.ts';

describe('formatCents', () => {
  it('shows units and cents', () => {
    expect(formatCents(1234)).toBe('12.34');
  });
  it('pads single cents on the left', () => {
    expect(formatCents(1205)).toBe('12.05');
    expect(formatCents(5)).toBe('0.05');
  });
  it('keeps the sign of small amounts', () => {
    expect(formatCents(-50)).toBe('-0.50');
  });
});

describe('parseCents', () => {
  it('reads amounts with and without a fraction', () => {
    expect(parseCents('12.34')).toBe(1234);
    expect(parseCents('7')).toBe(700);
    expect(parseCents('0.5')).toBe(50);
  });
  it('reads negative amounts', () => {
    expect(parseCents('-0.75')).toBe(-75);
  });
  it('refuses what is no amount', () => {
    expect(() => parseCents('12.345')).toThrow(RangeError);
    expect(() => parseCents('')).toThrow(RangeError);
  });
});

describe('percentOf', () => {
  it('rounds to the nearest cent', () => {
    expect(percentOf(999, 10)).toBe(100);
    expect(percentOf(1234, 5)).toBe(62);
  });
});
