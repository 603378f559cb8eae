import { describe, expect, it } from 'vitest';
import { modelAddress } from '../../../src/agents/llm/model-address.ts';

const ANTHROPIC = 'anthropic/claude-sonnet-4-5';

describe('modelAddress', () => {
  it.each<[string, string, string | undefined, Record<string, string>, string | undefined]>([
    ['undefined for the default address', ANTHROPIC, undefined, {}, undefined],
    [
      'the setting rather than the variable',
      ANTHROPIC,
      'http://a/v1',
      { ANTHROPIC_BASE_URL: 'http://b/v1' },
      'http://a/v1',
    ],
    [
      'the variable without its final slash',
      ANTHROPIC,
      undefined,
      { ANTHROPIC_BASE_URL: 'http://proxy/api/' },
      'http://proxy/api',
    ],
    [
      'the variable with /v1 added if it has no path',
      ANTHROPIC,
      undefined,
      { ANTHROPIC_BASE_URL: 'http://proxy' },
      'http://proxy/v1',
    ],
    [
      'undefined if the variable holds the default address',
      'openai/gpt-5',
      undefined,
      { OPENAI_BASE_URL: 'https://api.openai.com/v1' },
      undefined,
    ],
    [
      'undefined if only the variable of another provider is set',
      'openai/gpt-5',
      undefined,
      { ANTHROPIC_BASE_URL: 'http://proxy' },
      undefined,
    ],
    [
      'undefined if the variable is not a URL',
      'openai/gpt-5',
      undefined,
      { OPENAI_BASE_URL: 'proxy' },
      undefined,
    ],
    [
      'undefined for providers without a variable',
      'google/gemini-3',
      undefined,
      { OPENAI_BASE_URL: 'http://a' },
      undefined,
    ],
  ])('is %s', (_name, name, baseUrl, env, expected) => {
    expect(modelAddress(name, baseUrl, env)).toBe(expected);
  });
});
