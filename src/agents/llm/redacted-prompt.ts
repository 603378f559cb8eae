import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { redact, redactValue } from '../../platform/redaction/redact.ts';

/**
 * A copy of the prompt with the secrets in texts, tool inputs and tool results redacted, ready to be sent. Reasoning
 * stays unchanged: the provider that wrote it has signed it.
 */
export function redactedPrompt(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map(redactedMessage);
}

function redactedMessage(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === 'system') return { ...message, content: redact(message.content) };
  return { ...message, content: message.content.map(redactedPart) } as LanguageModelV4Message;
}

type Part = Exclude<LanguageModelV4Message['content'], string>[number];

function redactedPart(part: Part): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: redact(part.text) };
    case 'tool-call':
      return { ...part, input: redactValue(part.input) };
    case 'tool-result':
      return { ...part, output: redactValue(part.output) };
    default:
      return part;
  }
}
