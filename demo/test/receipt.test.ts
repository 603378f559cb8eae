import { describe, expect, it } from 'vitest';
import { renderReceipt, totalOf, type Order } from '../src/receipt.ts';

const order: Order = {
  cart: [
    { sku: 'tea', price: 450, quantity: 4 },
    { sku: 'jam', price: 325, quantity: 2 },
  ],
  tiers: [{ from: 2000, percent: 10 }],
  zone: 'near',
  grams: 2400,
};

describe('totalOf', () => {
  it('takes the discount off and adds shipping', () => {
    expect(totalOf(order)).toBe(2450 - 245 + 948);
  });
  it('charges no shipping where it is free', () => {
    expect(totalOf({ ...order, cart: [{ sku: 'cake', price: 6000, quantity: 1 }], zone: 'home' })).toBe(5400);
  });
});

describe('renderReceipt', () => {
  it('orders positions by SKU and ends with the total', () => {
    expect(renderReceipt(order)).toEqual(['2 x jam 6.50', '4 x tea 18.00', 'total 31.53']);
  });
});
