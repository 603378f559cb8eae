import type { AnalysisShare } from '../../schema/generated.ts';

/** `3 of 12 (25 %; 9 to 53)`, with `too few` for a small n. */
export function renderShare({ part, n, share, low, high, too_few }: AnalysisShare): string {
  if (share === null) return 'none yet';
  const percent = (value: number | null): string => (100 * (value ?? 0)).toFixed(0);
  const few = too_few ? ', too few' : '';
  return `${part} of ${n} (${percent(share)} %; ${percent(low)} to ${percent(high)}${few})`;
}

/** `(0.25 to 0.75)`, or `(no interval)`. */
export function interval(low: number | null, high: number | null, digits = 2): string {
  return low === null || high === null
    ? '(no interval)'
    : `(${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** The value with its sign and three decimals. */
export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
