import { describe, expect, it } from 'vitest';
import { shippingFor } from '../src/shipping.ts';

describe('shippingFor', () => {
  it('costs the base for up to a kilogram', () => {
    expect(shippingFor('near', 1000, 900)).toBe(790);
  });
  it('adds a tenth of the base for each started kilogram more', () => {
    expect(shippingFor('far', 2001, 900)).toBe(1490 + 2 * 149);
  });
  it('is free at home from fifty', () => {
    expect(shippingFor('home', 9000, 5000)).toBe(0);
    expect(shippingFor('home', 900, 4999)).toBe(390);
    expect(shippingFor('near', 900, 9000)).toBe(790);
  });
});
