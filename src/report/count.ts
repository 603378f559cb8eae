import { plural } from '../platform/text/plural.ts';

/** Digits in groups of three: `12,345`. Not Intl.NumberFormat, whose first use takes 35 ms. */
export function groupThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A count with its noun and thousands separators: `1 attempt`, `12,345 attempts`. */
export function renderCount(count: number, noun: string, nouns?: string): string {
  return plural(count, noun, nouns).replace(/^\d+/, groupThousands(count));
}
