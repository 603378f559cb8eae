import type { WireFormat } from './format.ts';
import type { WireServer } from './server.ts';

/** What the smallest request of a format looks like. */
interface Smallest {
  readonly path: string;
  readonly streamingPath?: string;
  readonly body: object;
}

const MESSAGES = [{ role: 'user', content: 'Hello' }];

const SMALLEST: Readonly<Record<WireFormat, Smallest>> = {
  'openai-chat': { path: '/chat/completions', body: { model: 'gpt-wire', messages: MESSAGES } },
  'openai-responses': { path: '/responses', body: { model: 'gpt-wire', input: 'Hello' } },
  anthropic: { path: '/messages', body: { model: 'claude-wire', max_tokens: 100, messages: MESSAGES } },
  gemini: {
    path: '/models/gemini-wire:generateContent',
    streamingPath: '/models/gemini-wire:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  },
};

/** One model call with nothing between the test and the wire. */
export function rawCall(
  server: WireServer,
  format: WireFormat,
  { streaming, signal }: { readonly streaming: boolean; readonly signal?: AbortSignal },
): Promise<Response> {
  const { path, streamingPath, body } = SMALLEST[format];
  const whole = streamingPath ? body : { ...body, stream: streaming };
  return fetch(server.baseUrl(format) + (streaming ? (streamingPath ?? path) : path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(whole),
    signal,
  });
}
