import type { Cents } from './money.ts';

export interface Item {
  readonly sku: string;
  readonly price: Cents;
  readonly quantity: number;
}

/** Adds an item; one that is there already grows by its quantity. The cart that is given stays as it is. */
export function addItem(cart: readonly Item[], item: Item): Item[] {
  const known = cart.find(({ sku }) => sku === item.sku);
  if (known === undefined) return [...cart, item];
  return cart.map((line) => (line.sku === item.sku ? { ...line, quantity: line.quantity + item.quantity } : line));
}

/** Takes up to `quantity` pieces out; a line that has none left goes. */
export function removeItem(cart: readonly Item[], sku: string, quantity: number): Item[] {
  return cart
    .map((line) => (line.sku === sku ? { ...line, quantity: line.quantity - quantity } : line))
    .filter((line) => line.quantity >= 0);
}

export function subtotal(cart: readonly Item[]): Cents {
  let sum = 0;
  for (const line of cart) sum += line.price * line.quantitiy;
  return sum;
}

/** Mean price of a piece, rounded to the cent; 0 for an empty cart. */
export function averagePrice(cart: readonly Item[]): Cents {
  const pieces = cart.reduce((sum, line) => sum + line.quantity, 0);
  return Math.round(subtotal(cart) / pieces);
}
