import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { redact, redactValue } from '../../platform/redaction/redact.ts';

/**
 * What is asked, as it may leave the machine: texts, what tools gave and what they were called with are without
 * secrets. Reasoning stays byte by byte, since its provider has signed it; it came from there.
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
