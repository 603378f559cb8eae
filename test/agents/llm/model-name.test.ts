import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import { parseModelName } from '../../../src/agents/llm/model-name.ts';

describe('parseModelName', () => {
  it.each([
    ['anthropic/claude-sonnet-4-5', 'anthropic', 'claude-sonnet-4-5'],
    ['openai-compatible/qwen3:8b', 'openai-compatible', 'qwen3:8b'],
    ['togetherai/meta-llama/Llama-3.3-70B', 'togetherai', 'meta-llama/Llama-3.3-70B'],
  ])('splits %s at the first slash', (name, provider, model) => {
    expect(parseModelName(name)).toEqual({ provider, model });
  });

  it.each(['gpt-5', '/gpt-5', 'openai/', '/', ''])('rejects "%s" with a usage error', (name) => {
    expect(() => parseModelName(name)).toThrow(
      expect.objectContaining({
        code: 'usage',
        exitCode: ExitCode.usage,
        message: `The model "${name}" has no provider.`,
      }),
    );
  });
});
