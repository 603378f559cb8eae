import { describe, expect, it } from 'vitest';
import { addItem, averagePrice, removeItem, subtotal, type Item } from '../src/cart.ts';

const tea: Item = { sku: 'tea', price: 450, quantity: 2 };
const jam: Item = { sku: 'jam', price: 325, quantity: 1 };

describe('addItem', () => {
  it('appends an item that is new', () => {
    expect(addItem([tea], jam)).toEqual([tea, jam]);
  });
  it('adds up the quantities of one item', () => {
    expect(addItem([tea], { ...tea, quantity: 3 })).toEqual([{ ...tea, quantity: 5 }]);
  });
  it('leaves the cart that was given alone', () => {
    const cart = [tea];
    addItem(cart, jam);
    expect(cart).toEqual([tea]);
  });
});

describe('removeItem', () => {
  it('takes pieces out of a line', () => {
    expect(removeItem([tea, jam], 'tea', 1)).toEqual([{ ...tea, quantity: 1 }, jam]);
  });
  it('drops a line that has none left', () => {
    expect(removeItem([tea, jam], 'jam', 1)).toEqual([tea]);
  });
  it('drops a line when more is taken than there is', () => {
    expect(removeItem([tea, jam], 'tea', 5)).toEqual([jam]);
  });
});

describe('subtotal', () => {
  it('multiplies price by quantity', () => {
    expect(subtotal([tea, jam])).toBe(1225);
  });
  it('is nothing for an empty cart', () => {
    expect(subtotal([])).toBe(0);
  });
});

describe('averagePrice', () => {
  it('is the mean over pieces', () => {
    expect(averagePrice([tea, jam])).toBe(408);
  });
  it('is nothing for an empty cart', () => {
    expect(averagePrice([])).toBe(0);
  });
});
