import { describe, expect, it } from 'vitest';
import { renderUsage } from '../../src/report/usage.ts';

const NOTHING = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost_usd: 0 };

describe('renderUsage', () => {
  it('is empty if no model was called', () => {
    expect(renderUsage(NOTHING)).toBe('');
  });

  it('renders tokens, cached tokens and cost', () => {
    const usage = { input_tokens: 6870, output_tokens: 59, cached_input_tokens: 2048, cost_usd: 0.01234 };
    expect(renderUsage(usage)).toBe('6,870 tokens in (2,048 cached), 59 out, $0.0123');
  });

  it('renders an unknown cost as unknown', () => {
    expect(renderUsage({ ...NOTHING, input_tokens: 1, cost_usd: null })).toBe(
      '1 tokens in, 0 out, cost unknown',
    );
    expect(renderUsage({ ...NOTHING, cost_usd: 0.25 })).toBe('0 tokens in, 0 out, $0.2500');
  });
});
