import { describe, expect, it } from 'vitest';
import { modelAddress } from '../../../src/agents/llm/model-address.ts';

const ANTHROPIC = 'anthropic/claude-sonnet-4-5';

describe('the address of a model', () => {
  it.each<[string, string, string | undefined, Record<string, string>, string | undefined]>([
    ["the provider's own", ANTHROPIC, undefined, {}, undefined],
    [
      'what the user set, before any variable',
      ANTHROPIC,
      'http://a/v1',
      { ANTHROPIC_BASE_URL: 'http://b/v1' },
      'http://a/v1',
    ],
    [
      'what the variable says',
      ANTHROPIC,
      undefined,
      { ANTHROPIC_BASE_URL: 'http://proxy/api/' },
      'http://proxy/api',
    ],
    [
      'a server, with the version added',
      ANTHROPIC,
      undefined,
      { ANTHROPIC_BASE_URL: 'http://proxy' },
      'http://proxy/v1',
    ],
    [
      "the provider's own, named",
      'openai/gpt-5',
      undefined,
      { OPENAI_BASE_URL: 'https://api.openai.com/v1' },
      undefined,
    ],
    [
      'nothing of another provider',
      'openai/gpt-5',
      undefined,
      { ANTHROPIC_BASE_URL: 'http://proxy' },
      undefined,
    ],
    ['nothing that is no address', 'openai/gpt-5', undefined, { OPENAI_BASE_URL: 'proxy' }, undefined],
    [
      'nothing for providers without such a variable',
      'google/gemini-3',
      undefined,
      { OPENAI_BASE_URL: 'http://a' },
      undefined,
    ],
  ])('is %s', (_what, name, baseUrl, env, expected) => {
    expect(modelAddress(name, baseUrl, env)).toBe(expected);
  });
});
