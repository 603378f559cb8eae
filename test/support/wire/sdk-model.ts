import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModel } from 'ai';
import type { WireFormat } from './format.ts';
import type { WireServer } from './server.ts';

const IDS: Readonly<Record<WireFormat, string>> = {
  'openai-chat': 'gpt-wire',
  'openai-responses': 'gpt-wire',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-wire',
};

/** A model of the provider's own package that talks to the server. */
export function sdkModel(server: WireServer, format: WireFormat, id = IDS[format]): LanguageModel {
  const settings = { baseURL: server.baseUrl(format), apiKey: 'wire-key' };
  switch (format) {
    case 'openai-chat':
      return createOpenAI(settings).chat(id);
    case 'openai-responses':
      return createOpenAI(settings).responses(id);
    case 'anthropic':
      return createAnthropic(settings)(id);
    case 'gemini':
      return createGoogle(settings)(id);
  }
}
