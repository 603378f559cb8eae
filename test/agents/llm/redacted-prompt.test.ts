import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { redactedPrompt } from '../../../src/agents/llm/redacted-prompt.ts';
import { REDACTED } from '../../../src/platform/redaction/redact.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('redactedPrompt', () => {
  it('redacts secrets in texts, calls and results, and keeps signed reasoning unchanged', () => {
    const prompt: LanguageModelV4Prompt = [
      { role: 'system', content: `Never say ${TOKEN}.` },
      { role: 'user', content: [{ type: 'text', text: `It prints ${TOKEN}.` }] },
      {
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            text: `Is ${TOKEN} a key?`,
            providerOptions: { anthropic: { signature: TOKEN } },
          },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'bash', input: { command: `echo ${TOKEN}` } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'bash',
            output: { type: 'text', value: `${TOKEN}\n` },
          },
        ],
      },
    ];
    const sent = JSON.stringify(redactedPrompt(prompt));
    expect(sent.split(TOKEN)).toHaveLength(3);
    expect(sent.split(REDACTED)).toHaveLength(5);
    expect(redactedPrompt(redactedPrompt(prompt))).toEqual(redactedPrompt(prompt));
  });
});
