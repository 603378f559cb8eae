import type { JsonObject, WireFormat } from './format.ts';

/** What a path, with the body's help, asks for. */
export interface Route {
  readonly format: WireFormat;
  readonly model: string;
  readonly streaming: boolean;
}

const IN_BODY: Readonly<Record<string, WireFormat>> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/responses': 'openai-responses',
  '/v1/messages': 'anthropic',
};

const GEMINI = /^\/v1beta\/models\/(?<model>[^/]+):(?<method>generateContent|streamGenerateContent)$/;

/** Undefined for what is no model call; `path` may have a query. */
export function routeOf(method: string, path: string, json: JsonObject): Route | undefined {
  const [pathname = '', query = ''] = path.split('?');
  const format = IN_BODY[pathname];
  if (method !== 'POST') return undefined;
  if (format) return { format, model: String(json.model), streaming: json.stream === true };
  const found = GEMINI.exec(pathname)?.groups;
  if (!found) return undefined;
  const streaming = found.method === 'streamGenerateContent';
  if (streaming && !query.split('&').includes('alt=sse')) return undefined;
  return { format: 'gemini', model: found.model ?? '', streaming };
}
