import { describe, expect, it } from 'vitest';
import { tablePrice } from '../../../src/agents/llm/price-table.ts';

async function priceFor(name: string): Promise<number | null> {
  return (await tablePrice(name))({ input_tokens: 1000, output_tokens: 1000 });
}

describe('tablePrice', () => {
  it.each([
    ['anthropic/claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4-20250514', 'anthropic/claude-sonnet-4-0'],
    ['anthropic/claude-3-5-haiku-20241022', 'anthropic/claude-3-5-haiku-latest'],
    ['openai/gpt-5-2025-08-07', 'openai/gpt-5'],
    ['openai/GPT-5', 'openai/gpt-5'],
    ['openai/ft:gpt-4o-2024-08-06:us::abc123', 'openai/ft:gpt-4o-2024-08-06'],
    ['google/gemini-2.5-pro-preview-05-06', 'google/gemini-2.5-pro'],
    ['google/gemini-1.5-flash-002', 'google/gemini-1.5-flash'],
    ['amazon-bedrock/us.amazon.nova-pro-v1:0', 'amazon-bedrock/amazon.nova-pro-v1:0'],
    ['google-vertex/claude-sonnet-4-5@20250929', 'google-vertex/claude-sonnet-4-5'],
    [
      'amazon-bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'amazon-bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
  ])('has the same price for %s and %s', async (name, other) => {
    const price = await priceFor(name);
    expect(price).toBeGreaterThan(0);
    expect(price).toBe(await priceFor(other));
  });

  it.each([
    'openai/gpt-5-nope',
    'openai/gpt-5-mini-foo',
    'openai/my-gpt-5',
    'openai/claude-sonnet-4-5',
    'openai/constructor',
    'anthropic/claude-sonnet-4-5-foo',
    'anthropic/claude-sonnet-4-50',
    'anthropic/claude-sonnet-4-5-1',
    'anthropic/claude-sonnet',
    'anthropic/wire-model',
    'google/gemini-2.5-pro-zzz',
    'google/gemini-1.5-flash-8b',
    'google/gemini',
    'deepseek/deepseek-chat-nope',
    'xai/grok',
  ])('does not match the unknown model %s', async (name) => {
    expect(await priceFor(name)).toBeNull();
  });

  it.each([
    'openai-compatible/gpt-5',
    'my-openai/gpt-5',
    'notanthropic/claude-sonnet-4-5',
    'constructor/gpt-5',
    'nobody/gpt-5',
  ])('does not match the unknown provider of %s', async (name) => {
    expect(await priceFor(name)).toBeNull();
  });
});
