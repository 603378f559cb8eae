import { subtotal, type Item } from './cart.ts';
import { discountFor, type Tier } from './discount.ts';
import { formatCents, type Cents } from './money.ts';
import { shippingFor, type Zone } from './shipping.ts';

export interface Order {
  readonly cart: readonly Item[];
  readonly tiers: readonly Tier[];
  readonly zone: Zone;
  readonly grams: number;
}

export function totalOf({ cart, tiers, zone, grams }: Order): Cents {
  const goods = subtotal(cart);
  const discount = discountFor(goods, tiers);
  return goods + discount + shippingFor(zone, grams, goods - discount);
}

/** One line a position, the total last; positions are ordered by SKU. */
export function renderReceipt(order: Order): string[] {
  const lines = [...order.cart]
    .sort((a, b) => a.sku.localeCompare(b.sku))
    .map((line) => `${line.quantity} x ${line.sku} ${formatCents(line.price * line.quantity)}`);
  return [...lines, `total ${formatCents(totalOf(order))}`];
}
