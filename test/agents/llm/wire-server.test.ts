import { setTimeout as sleep } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  closedPort,
  FAULTS,
  isPromptPrefix,
  promptOf,
  sizeOf,
  startWireServer,
} from '../../support/wire/index.ts';
import { serve } from '../../support/wire/serve.ts';
import type {
  WireFault,
  WireFaultCase,
  WireFinish,
  WireFormat,
  WireReply,
  WireServer,
} from '../../support/wire/index.ts';
import { THOUGHT_SIGNATURE } from '../../support/wire/formats/gemini.ts';
import { dataOf, observe } from '../../support/wire/observe.ts';
import { rawCall } from '../../support/wire/raw-call.ts';
import { sdkModel } from '../../support/wire/sdk-model.ts';

const FORMATS: readonly WireFormat[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];
const WAYS = FORMATS.flatMap((format) => [
  { format, streaming: false, way: 'whole' },
  { format, streaming: true, way: 'streamed' },
]);
const REPLY: WireReply = {
  // A surrogate pair at the end of a chunk of the stream.
  text: 'Read größe 🙂 first, and then the rest.',
  toolCalls: [
    { name: 'read_file', input: { path: 'src/index.ts' } },
    { name: 'read_file', input: { path: 'README.md' } },
  ],
  usage: { input: 1000, output: 50, cached: 800, cacheWrite: 100 },
};

const CONNECTION_IS_IDLE_MS = 20;

const readFile = tool({
  description: 'Reads a file.',
  inputSchema: jsonSchema<{ path: string }>({
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  }),
});

/** One call through the provider package, streamed or not. */
async function ask(server: WireServer, format: WireFormat, streaming: boolean) {
  const options = {
    model: sdkModel(server, format),
    system: 'You repair code.',
    prompt: 'Go.',
    tools: { read_file: readFile },
    maxRetries: 0,
  };
  if (!streaming) return { ...pick(await generateText(options)), errors: [] as unknown[], deltas: 0 };
  const errors: unknown[] = [];
  const result = streamText({ ...options, onError: ({ error }) => void errors.push(error) });
  let deltas = 0;
  for await (const part of result.textStream) deltas += part.length > 0 ? 1 : 0;
  const [finishReason, text, toolCalls, usage] = await Promise.all([
    result.finishReason,
    result.text,
    result.toolCalls,
    result.usage,
  ]);
  return { ...pick({ finishReason, text, toolCalls, usage }), errors, deltas };
}

type Asked = Pick<
  Awaited<ReturnType<typeof generateText<{ read_file: typeof readFile }>>>,
  'finishReason' | 'text' | 'toolCalls' | 'usage'
>;

function pick({ finishReason, text, toolCalls, usage }: Asked) {
  return { finishReason, text, toolCalls, usage };
}

describe.each(WAYS)('the provider package for $format, $way', ({ format, streaming }) => {
  it('reads the text, the calls with ids and arguments, the usage and the finish reason', async () => {
    const server = await serve([REPLY]);
    const got = await ask(server, format, streaming);
    expect(got).toMatchObject({ finishReason: 'tool-calls', text: REPLY.text, errors: [] });
    expect(got.toolCalls.map(({ toolName, input, invalid }) => ({ toolName, input, invalid }))).toEqual([
      { toolName: 'read_file', input: { path: 'src/index.ts' }, invalid: undefined },
      { toolName: 'read_file', input: { path: 'README.md' }, invalid: undefined },
    ]);
    expect(new Set(got.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    expect(got.usage).toMatchObject({
      inputTokens: 1000,
      outputTokens: 50,
      inputTokenDetails: { cacheReadTokens: 800, ...(format !== 'gemini' && { cacheWriteTokens: 100 }) },
    });
    expect(got.deltas).toBe(streaming ? 4 : 0);
  });

  it.each<[WireFinish, string]>([
    ['stop', 'stop'],
    ['length', 'length'],
    ['refusal', 'content-filter'],
    ['filter', 'content-filter'],
  ])('maps the finish reason %s to %s', async (finish, unified) => {
    const server = await serve([{ text: finish === 'filter' ? '' : 'Well.', finish }]);
    expect((await ask(server, format, streaming)).finishReason).toBe(unified);
  });

  it('returns structured output', async () => {
    const answer = { verdict: 'off by one', confidence: 0.8 };
    const server = await serve([{ text: JSON.stringify(answer) }]);
    const options = {
      model: sdkModel(server, format),
      prompt: 'Why?',
      output: Output.object({ schema: jsonSchema<typeof answer>({ type: 'object', required: ['verdict'] }) }),
    };
    const output = streaming ? await streamText(options).output : (await generateText(options)).output;
    expect(output).toEqual(answer);
  });

  it('sends each prompt of a conversation as the prefix of the next', async () => {
    const call = { name: 'read_file', input: { path: 'a.ts' } };
    const server = await serve([
      { text: 'One.', toolCalls: [call] },
      { toolCalls: [call] },
      { text: 'Done.' },
    ]);
    const options = {
      model: sdkModel(server, format),
      instructions: {
        role: 'system' as const,
        content: 'You repair code.',
        providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      },
      prompt: 'Go.',
      tools: { read_file: { ...readFile, execute: ({ path }: { path: string }) => `text of ${path}` } },
      stopWhen: isStepCount(5),
    };
    await (streaming ? streamText(options).text : generateText(options));
    const [first, second, third] = server.requests;
    expect(server.requests).toHaveLength(3);
    expect([isPromptPrefix(first!, second!), isPromptPrefix(second!, third!)]).toEqual([true, true]);
    expect(isPromptPrefix(second!, first!)).toBe(false);
    expect(promptOf(first!)).toMatch(/^tool .*read_file[^]*You repair code\.[^]*Go\./);
    expect(promptOf(third!)).not.toContain('cache_control');
    if (format === 'anthropic') expect(third!.body).toContain('cache_control');
    if (format === 'gemini') expect(third!.body).toContain(THOUGHT_SIGNATURE);
  });
});

describe('the wire server', () => {
  it.each([true, false])('streams the usage of a chat only on request (%s)', async (includeUsage) => {
    const server = await serve([REPLY]);
    const settings = { name: 'wire', baseURL: server.baseUrl('openai-chat'), includeUsage };
    const { usage } = streamText({ model: createOpenAICompatible(settings)('gpt-wire'), prompt: 'Go.' });
    expect((await usage).inputTokens).toBe(includeUsage ? 1000 : undefined);
  });

  it.each([
    ['anthropic', 'claude-sonnet-4-5'],
    ['gemini', 'gemini-2.5-flash'],
  ] as const)('answers structured output through the tool that %s has to call', async (format, id) => {
    const server = await serve([{ text: '{"verdict":"off by one"}' }]);
    const { output } = await generateText({
      model: sdkModel(server, format, id),
      prompt: 'Why?',
      tools: { read_file: readFile },
      output: Output.object({ schema: jsonSchema<{ verdict: string }>({ type: 'object' }) }),
      providerOptions: { anthropic: { structuredOutputMode: 'jsonTool' } },
    });
    expect(output).toEqual({ verdict: 'off by one' });
    expect(promptOf(server.requests[0]!)).toContain('"name":"json"');
  });

  it('keeps every request unchanged', async () => {
    const server = await serve([{ text: 'Hi.' }]);
    await (await rawCall(server, 'anthropic', { streaming: true })).text();
    const [request] = server.requests;
    expect(request).toMatchObject({
      path: '/v1/messages',
      format: 'anthropic',
      model: 'claude-wire',
      streaming: true,
      outcome: 'answered',
      headers: { 'content-type': 'application/json' },
      json: { max_tokens: 100 },
    });
    expect(JSON.parse(request!.body)).toEqual(request!.json);
    expect(sizeOf(request!)).toBe(request!.body.length);
    expect(server.servedMs).toBeGreaterThan(0);
  });

  it('answers by content if the script is a function', async () => {
    const server = await serve((request, number) => ({ text: `${number} ${request.format}` }));
    const texts = [];
    for (const format of FORMATS) texts.push((await ask(server, format, false)).text);
    expect(texts).toEqual(FORMATS.map((format, number) => `${number} ${format}`));
  });

  it.each(FORMATS)('answers 500 after the last scripted reply, in the format %s', async (format) => {
    const server = await serve([{ text: 'Only this.' }]);
    await ask(server, format, false);
    await expect(ask(server, format, false)).rejects.toMatchObject({
      statusCode: 500,
      message: expect.stringContaining('has 1 replies, and this is call 2') as string,
    });
    expect(server.unscripted).toBe(1);
  });

  it('answers other paths without using up the script', async () => {
    const server = await serve([{ text: 'Still here.' }]);
    const models = await fetch(`${server.url}/v1/models`);
    expect(await models.json()).toMatchObject({ data: [{ id: 'wire-model' }] });
    expect((await fetch(`${server.url}/v1/chat`, { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await ask(server, 'gemini', false)).text).toBe('Still here.');
    expect(server.others).toEqual(['GET /v1/models', 'POST /v1/chat']);
  });

  it('offers a closed port', async () => {
    await expect(fetch(`http://127.0.0.1:${await closedPort()}/`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

async function see(format: WireFormat, streaming: boolean, reply: WireReply) {
  const server = await serve([reply]);
  return { ...(await observe(server, format, { streaming, reply })), server };
}

function replyOf({ reply }: WireFaultCase): WireReply {
  return {
    ...REPLY,
    ...reply,
    ...(reply.fault?.kind === 'huge' && { fault: { kind: 'huge', megabytes: 2 } }),
  };
}

/** Every fault in every format and way to which it applies. */
const MATRIX = FAULTS.flatMap((row) =>
  WAYS.filter(({ format }) => row.formats?.includes(format) ?? true)
    .filter(({ streaming }) => (streaming ? row.streaming : row.nonStreaming))
    .map((way) => ({ ...way, row, name: row.name })),
);

describe('faults', () => {
  it('have unique names', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  });

  it.each(WAYS)('are absent from a plain reply: $format, $way', async ({ format, streaming }) => {
    const seen = await see(format, streaming, REPLY);
    expect(seen).toMatchObject({ status: 200, problem: '', torn: false });
    expect(seen.type).toContain(streaming ? 'text/event-stream' : 'application/json');
    expect(seen.text).not.toContain('\\ud83d');
    for (const data of dataOf(seen.text, streaming)) expect(() => JSON.parse(data) as unknown).not.toThrow();
  });

  it.each(MATRIX)('take effect for $name: $format, $way', async ({ row, format, streaming }) => {
    const reply = replyOf(row);
    const [plain, seen] = [await see(format, streaming, REPLY), await see(format, streaming, reply)];
    if (reply.fault) return expectFault(reply.fault, { plain, seen, streaming });
    expect(seen).toMatchObject({ status: 200, problem: '' });
    expect(seen.text).not.toBe(plain.text);
  });

  it('refuse only one connection', async () => {
    const server = await serve([{ text: 'One.' }, { fault: { kind: 'refused' } }, { text: 'Three.' }]);
    expect((await ask(server, 'openai-chat', false)).text).toBe('One.');
    await sleep(CONNECTION_IS_IDLE_MS);
    await expect(ask(server, 'openai-chat', false)).rejects.toThrow('ECONNRESET');
    expect((await ask(server, 'openai-chat', true)).text).toBe('Three.');
    expect([server.refused, server.requests.length]).toEqual([1, 2]);
  });

  it('reset the call if a function returns a refusal', async () => {
    const server = await serve(() => ({ fault: { kind: 'refused' } }));
    await expect(ask(server, 'gemini', false)).rejects.toThrow('ECONNRESET');
    expect(server.requests).toMatchObject([{ outcome: 'cut' }]);
  });

  it('stall until the server closes', async () => {
    const server = await startWireServer([{ ...REPLY, fault: { kind: 'stall', after: 'first-chunk' } }]);
    const response = await rawCall(server, 'openai-chat', { streaming: true });
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    const next = reader.read();
    await server.close();
    await expect(next).rejects.toThrow('terminated');
  });

  it.each(FORMATS)('make a stream without its end "interrupted": %s', async (format) => {
    const replies: WireReply[] = [
      { ...REPLY, fault: { kind: 'truncated' } },
      { text: '', fault: { kind: 'truncated' } },
      { ...REPLY, fault: { kind: 'missing', part: 'end' } },
    ];
    for (const reply of replies) {
      const ending = await ask(await serve([reply]), format, true).then(
        ({ finishReason }) => finishReason,
        ({ name }: Error) => name,
      );
      expect(['interrupted', 'AI_NoOutputGeneratedError']).toContain(ending);
    }
  });

  it.each(FORMATS)('make the provider package reject a reply: %s', async (format) => {
    const faults: WireFault[] = [{ kind: 'invalid-json' }, { kind: 'wrong-schema' }];
    for (const fault of faults) {
      const server = await serve([
        { ...REPLY, fault },
        { ...REPLY, fault },
      ]);
      await expect(ask(server, format, false)).rejects.toThrow('Invalid JSON response');
      expect((await ask(server, format, true)).errors).toHaveLength(1);
    }
  });

  it.each([true, false])('block a prompt of Gemini without a candidate (%s)', async (streaming) => {
    const { text } = await see('gemini', streaming, { finish: 'filter' });
    expect(text).toContain('"promptFeedback"');
    expect(text).not.toContain('"candidates"');
  });

  it.each(FORMATS)("are sent as the provider's error event in a stream: %s", async (format) => {
    const server = await serve([{ ...REPLY, fault: { kind: 'error-event', at: 'middle' } }]);
    const { errors, finishReason } = await ask(server, format, true);
    expect(finishReason).toBe('error');
    expect(errors).toMatchObject([{ isRetryable: true }]);
  });

  it.each(FAULTS.filter(({ reply }) => reply.fault?.kind === 'status'))(
    "are sent in the provider's error format with $name",
    async ({ reply: { fault }, formats }) => {
      for (const format of formats ?? FORMATS) {
        const server = await serve([{ fault }]);
        const error = (await ask(server, format, false).catch((thrown: unknown) => thrown)) as {
          statusCode: number;
          data?: { error: { message: string } };
          message: string;
        };
        const { status, html } = fault as Extract<WireFault, { kind: 'status' }>;
        expect(error.statusCode).toBe(status);
        expect(error.data?.error.message).toBe(html ? undefined : error.message);
      }
    },
  );
});

type Seen = Awaited<ReturnType<typeof see>>;

function expectFault(
  fault: WireFault,
  { plain, seen, streaming }: { plain: Seen; seen: Seen; streaming: boolean },
): void {
  const outcome = () => seen.server.requests[0]?.outcome;
  switch (fault.kind) {
    case 'status':
      expect(seen.status).toBe(fault.status);
      expect(seen.type).toContain(fault.html ? 'text/html' : 'application/json');
      expect(seen.retryAfter !== '').toBe(fault.retryAfter !== undefined);
      break;
    case 'refused':
      expect([seen.problem, seen.server.refused]).toEqual(['ECONNRESET', 1]);
      break;
    case 'reset-before-headers':
      expect([seen.status, seen.problem, outcome()]).toEqual([0, 'ECONNRESET', 'cut']);
      break;
    case 'reset-mid-stream':
      expect([seen.status, seen.problem, outcome()]).toEqual([200, 'ECONNRESET', 'cut']);
      expect(isProperPrefix(seen, plain)).toBe(true);
      break;
    case 'stall':
      expect([seen.status, seen.problem]).toEqual([fault.after === 'request' ? 0 : 200, 'AbortError']);
      expect(isProperPrefix(seen, plain)).toBe(fault.after === 'first-chunk');
      break;
    case 'drip':
      expect(seen.text).toBe(plain.text);
      expect(seen.pieces).toBeGreaterThan(plain.text.length / fault.bytes / 4);
      break;
    case 'split-utf8':
      expect([seen.torn, seen.problem]).toEqual([true, '']);
      break;
    case 'html':
      expect([seen.status, seen.type]).toEqual([200, 'text/html; charset=utf-8']);
      break;
    case 'redirect-loop':
      expect(seen.problem).toBe('redirect count exceeded');
      break;
    case 'huge':
      expect(seen.text.length).toBeGreaterThan(fault.megabytes * 1e6);
      break;
    case 'truncated':
      expect([seen.problem, isProperPrefix(seen, plain)]).toEqual(['', true]);
      break;
    case 'invalid-json':
      expect(dataOf(seen.text, streaming).filter((data) => !isJson(data))).toHaveLength(1);
      break;
    case 'duplicated':
      expect(dataOf(seen.text, true)).toEqual(dataOf(plain.text, true).flatMap((data) => [data, data]));
      break;
    case 'missing':
      expect(dataOf(plain.text, true)).toEqual(expect.arrayContaining(dataOf(seen.text, true)));
      expect(seen.text.length).toBeLessThan(plain.text.length);
      break;
    case 'error-event':
    case 'wrong-schema':
      expect([seen.status, seen.problem]).toEqual([200, '']);
      expect(dataOf(seen.text, streaming).every(isJson)).toBe(true);
      expect(dataOf(plain.text, streaming)).not.toEqual(expect.arrayContaining(dataOf(seen.text, streaming)));
  }
}

/** Whether the text is a proper prefix of the plain reply. */
function isProperPrefix(seen: Seen, plain: Seen): boolean {
  return seen.text !== '' && plain.text.startsWith(seen.text) && seen.text.length < plain.text.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
