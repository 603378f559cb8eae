import { afterEach, describe, expect, it } from 'vitest';
import type { ModelFailure, ModelFailureKind, Reply } from '../../../src/agents/llm/client.ts';
import { createModelClient } from '../../../src/agents/llm/create-client.ts';
import { ModelHealth } from '../../../src/agents/llm/model-health.ts';
import { Ledger } from '../../../src/agents/llm/ledger.ts';
import { always, startPlainServer, type PlainServer } from './plain-server.ts';

const TRIES = 4;
const EVENTS = 'text/event-stream';

const servers: PlainServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Name, status, expected kind, expected part of the message, body, content type if not JSON. */
type Row = readonly [string, number, ModelFailureKind, string, string, string?];

function error(message: string): string {
  return JSON.stringify({ error: { message } });
}

/** Bodies as these servers send them. */
const CASES: readonly Row[] = [
  [
    'Ollama without the model',
    404,
    'not_found',
    'model "qwen9" not found, try pulling it first',
    '{"error":{"message":"model \\"qwen9\\" not found, try pulling it first","type":"api_error","param":null,"code":null}}',
  ],
  [`Ollama's own API`, 404, 'not_found', `model 'qwen9' not found`, `{"error":"model 'qwen9' not found"}`],
  [
    'Ollama with a model without tool support',
    400,
    'no_tools',
    'gemma:2b does not support tools',
    '{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}',
  ],
  [
    'Ollama after its model process was killed',
    500,
    'server',
    'llama runner process has terminated',
    '{"error":{"message":"llama runner process has terminated: signal: killed","type":"api_error"}}',
  ],
  [
    'an older vLLM without the model',
    404,
    'not_found',
    'The model `nope` does not exist.',
    '{"object":"error","message":"The model `nope` does not exist.","type":"NotFoundError","param":null,"code":404}',
  ],
  [
    'a newer vLLM without the model',
    404,
    'not_found',
    'The model `nope` does not exist.',
    '{"error":{"message":"The model `nope` does not exist.","type":"NotFoundError","param":"model","code":404}}',
  ],
  [
    'vLLM started without tools',
    400,
    'no_tools',
    'requires --enable-auto-tool-choice',
    '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
  ],
  [
    'vLLM with too long a prompt',
    400,
    'request',
    'maximum context length is 4096 tokens',
    `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400}`,
  ],
  ['vLLM with a wrong key', 401, 'key', 'Unauthorized', '{"error":"Unauthorized"}'],
  [
    'LM Studio without a model',
    404,
    'not_found',
    'No models loaded.',
    '{"error":{"message":"No models loaded. Please load a model in the developer page.","code":"model_not_found"}}',
  ],
  [
    'LM Studio with too long a prompt',
    400,
    'request',
    'context length of only 4096 tokens',
    '{"error":"Trying to keep the first 4915 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}',
  ],
  [
    'LM Studio with an unknown path, with status 200',
    200,
    'not_found',
    'Unexpected endpoint or method.',
    '{"error":"Unexpected endpoint or method. (POST /chat/completions)"}',
  ],
  [
    'OpenRouter without credits',
    402,
    'permission',
    'Insufficient credits',
    '{"error":{"message":"Insufficient credits. Add more using https://openrouter.ai/credits","code":402}}',
  ],
  [
    'OpenRouter without a provider with tool support',
    404,
    'no_tools',
    'No endpoints found that support tool use',
    '{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit the docs","code":404}}',
  ],
  [
    'OpenRouter with a provider over its rate limit, with status 200',
    200,
    'rate_limit',
    'Provider returned error: slow down',
    '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"slow down","provider_name":"Acme"}}}',
  ],
  [
    'OpenRouter without a key, with status 200',
    200,
    'key',
    'No auth credentials found',
    '{"error":{"message":"No auth credentials found","code":401}}',
  ],
  [
    'OpenRouter with a provider that disconnects in a stream',
    200,
    'server',
    '(HTTP 502): Provider disconnected',
    ': OPENROUTER PROCESSING\n\ndata: {"id":"x","error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
    EVENTS,
  ],
  [
    'OpenRouter with a rejected key in a stream',
    200,
    'key',
    'No auth',
    'data: {"error":{"code":401,"message":"No auth"}}\n\n',
    EVENTS,
  ],
  [
    'llama.cpp started without templates',
    500,
    'no_tools',
    'tools param requires --jinja flag',
    '{"error":{"message":"tools param requires --jinja flag","code":500,"type":"server_error"}}',
  ],
  [
    'an older llama.cpp',
    500,
    'no_tools',
    'Unsupported param: tools',
    '{"error":{"message":"Unsupported param: tools","code":500,"type":"server_error"}}',
  ],
  [
    'llama.cpp while it loads its model',
    503,
    'server',
    'Loading model',
    '{"error":{"message":"Loading model","code":503,"type":"unavailable_error"}}',
  ],
  [
    'llama.cpp with too long a prompt',
    400,
    'request',
    'exceeds the available context size',
    '{"error":{"message":"the request exceeds the available context size","code":400,"type":"exceed_context_size_error"}}',
  ],
  [
    'llama.cpp with a wrong key',
    401,
    'key',
    'Invalid API Key',
    '{"error":{"message":"Invalid API Key","code":401,"type":"authentication_error"}}',
  ],
  [
    'a server with a list of details',
    422,
    'request',
    'extra fields not permitted',
    '{"detail":[{"loc":["body","tools"],"msg":"extra fields not permitted"}]}',
  ],
  ['a server with one detail', 404, 'not_found', 'No route', '{"detail":"No route"}'],
  ['a proxy with an HTML page', 502, 'server', 'Bad Gateway', '<h1>502 Bad Gateway</h1>', 'text/html'],
  ['a server with an empty body', 500, 'server', '(HTTP 500)', ''],
  [
    'an error named like a property of Object',
    200,
    'server',
    'server failed: boo',
    'data: {"error":{"type":"toString","message":"boo"}}\n\n',
    EVENTS,
  ],
];

const TRANSIENT: readonly ModelFailureKind[] = ['server', 'rate_limit'];

describe.each([true, false])('an error of a local server or router, streaming: %s', (stream) => {
  const cases = CASES.filter(([, , , , , type]) => stream || type !== EVENTS);

  it.each(cases.map((row): [...Row] => [...row]))(
    '%s (%i) is %s, with the message of the server',
    async (_name, status, kind, message, body, type) => {
      const { reply, calls } = await askOnce(stream, always(status, body, type));
      expect(reply.ending).toBe('failed');
      expect(reply.failure?.kind).toBe(kind);
      expect(reply.detail).toContain(message);
      expect(reply.detail).not.toContain('[object');
      expect(calls).toBe(TRANSIENT.includes(kind) ? TRIES : 1);
    },
  );

  it('about missing tool support is permanent, with a hint', async () => {
    const { reply } = await askOnce(stream, always(400, error('this model does not support tools')));
    expect(reply.failure).toMatchObject<Partial<ModelFailure>>({
      permanent: true,
      hint: expect.stringContaining('--actor cot') as string,
    });
  });

  it('is reported with its secrets redacted', async () => {
    const secret = `sk-ant-api03-${'a1B2'.repeat(6)}`;
    const { reply } = await askOnce(stream, always(400, error(`no use for ${secret} here`)));
    expect(reply.detail).toContain('no use for [redacted] here');
    expect(reply.failure?.message).not.toContain(secret);
  });

  it('is shortened', async () => {
    const { reply } = await askOnce(stream, always(400, error('blah '.repeat(5000))));
    expect(reply.detail.length).toBeLessThan(1000);
  });
});

async function askOnce(
  stream: boolean,
  answer: Parameters<typeof startPlainServer>[0],
): Promise<{ reply: Reply; calls: number }> {
  const server = await startPlainServer(answer);
  servers.push(server);
  const client = createModelClient({
    channel: 'actor',
    names: ['openai-compatible/m'],
    baseUrl: `${server.url}/v1`,
    stream,
    timeoutMs: 20_000,
    maxDelayMs: 1,
    maxOutputTokens: 1000,
    prices: {},
    env: {},
    folders: [],
    health: new ModelHealth(),
    ledger: new Ledger({}),
    recorders: [],
    player: undefined,
    answeredBefore: undefined,
  });
  const { signal } = new AbortController();
  const reply = await client.converse({ system: 's', prompt: 'p', maxSteps: 3, signal, onWork: () => {} });
  return { reply, calls: server.requests.length };
}
