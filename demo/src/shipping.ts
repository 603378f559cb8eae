import { percentOf, type Cents } from './money.ts';

export type Zone = 'home' | 'near' | 'far';

const BASE: Readonly<Record<Zone, Cents>> = { home: 390, near: 790, far: 1490 };
const FREE_FROM: Cents = 5000;

/** Shipping by zone and weight: a started kilogram above the first costs a tenth of the base. */
export function shippingFor(zone: Zone, grams: number, subtotal: Cents): Cents {
  if (zone == 'home' && subtotal >= FREE_FROM) return 0;
  const extraKilograms = Math.max(0, Math.ceil(grams / 1000) - 1);
  return BASE[zone] + extraKilograms * percentOf(BASE[zone], 10);
}
