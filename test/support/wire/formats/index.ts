import type { FormatAdapter, WireFormat } from '../format.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';

/** Every format that the server speaks. */
export const formats = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
} satisfies Readonly<Record<WireFormat, FormatAdapter>>;
