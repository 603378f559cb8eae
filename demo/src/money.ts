/** Cents; whole numbers only, so that sums are exact. */
export type Cents = number;

/** `1234` → `12.34`; negative amounts carry a leading minus. */
export function formatCents(amount: Cents): string {
  const sign = amount < 0 ? '-' : '';
  const absolute = Math.abs(amount);
  const units = Math.floor(absolute / 100);
  const rest = String(absolute % 100).padEnd(2, '0');
  return `${sign}${units}.${rest}`;
}

/** `12.34` → `1234`; throws a RangeError for anything that is no amount. */
export function parseCents(text: string): Cents {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (match === null) throw new RangeError(`not an amount: ${text}`);
  const [, sign, units = '0', fraction = ''] = match;
  const cents = Number(units) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** A share of an amount, rounded to the nearest cent. */
export function percentOf(amount: Cents, percent: number): Cents {
  return Math.round((amount * percent) / 100);
}
