import type { Usage } from '../schema/generated.ts';
import { groupThousands } from './count.ts';

/** `6,870 tokens in (2,048 cached), 59 out, $0.0123`; empty if no model was called. */
export function renderUsage(usage: Usage): string {
  const { input_tokens, output_tokens, cached_input_tokens, cost_usd } = usage;
  if (input_tokens + output_tokens === 0 && cost_usd === 0) return '';
  const cached = cached_input_tokens > 0 ? ` (${groupThousands(cached_input_tokens)} cached)` : '';
  const tokens = `${groupThousands(input_tokens)} tokens in${cached}, ${groupThousands(output_tokens)} out`;
  return `${tokens}, ${renderCost(cost_usd)}`;
}

/** Four decimals, so that one cheap call is not shown as $0.00. */
function renderCost(costUsd: number | null): string {
  return costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(4)}`;
}
