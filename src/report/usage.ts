import type { Usage } from '../schema/generated.ts';

const NUMBER = new Intl.NumberFormat('en-US');

/** `6,870 tokens in (2,048 cached), 59 out, $0.0123`; empty where no model was asked. */
export function renderUsage(usage: Usage): string {
  const { input_tokens, output_tokens, cached_input_tokens, cost_usd } = usage;
  if (input_tokens + output_tokens === 0 && cost_usd === 0) return '';
  const cached = cached_input_tokens > 0 ? ` (${NUMBER.format(cached_input_tokens)} cached)` : '';
  const tokens = `${NUMBER.format(input_tokens)} tokens in${cached}, ${NUMBER.format(output_tokens)} out`;
  return `${tokens}, ${renderCost(cost_usd)}`;
}

/** Four digits, so that one cheap call is not shown as nothing. */
function renderCost(costUsd: number | null): string {
  return costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(4)}`;
}
