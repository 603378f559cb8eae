import type { Usage } from '../schema/generated.ts';

/** `6,870 tokens in (2,048 cached), 59 out, $0.0123`; empty where no model was asked. */
export function renderUsage(usage: Usage): string {
  const { input_tokens, output_tokens, cached_input_tokens, cost_usd } = usage;
  if (input_tokens + output_tokens === 0 && cost_usd === 0) return '';
  const cached = cached_input_tokens > 0 ? ` (${grouped(cached_input_tokens)} cached)` : '';
  const tokens = `${grouped(input_tokens)} tokens in${cached}, ${grouped(output_tokens)} out`;
  return `${tokens}, ${renderCost(cost_usd)}`;
}

/** Thousands apart; the formatter of Intl takes 35 ms to make. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Four digits, so that one cheap call is not shown as nothing. */
function renderCost(costUsd: number | null): string {
  return costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(4)}`;
}
