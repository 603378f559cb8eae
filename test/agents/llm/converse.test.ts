import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import type { WorkEvent } from '../../../src/events.ts';
import type { Conversation, ModelTool, Reply } from '../../../src/agents/llm/client.ts';
import type { WireReply, WireServer } from '../../support/wire/index.ts';
import { serve } from '../../support/wire/serve.ts';
import { clientAt, FORMATS } from './client-at.ts';

/** A process that runs longer is considered to hang. */
const HANGS_MS = 30_000;

function note(run: ModelTool['run'] = () => Promise.resolve('noted')): Record<string, ModelTool> {
  const inputSchema = {
    type: 'object',
    properties: { lines: { type: 'array', items: { type: 'string' } } },
    required: ['lines'],
    additionalProperties: false,
  };
  return { note: { description: 'Takes a note.', inputSchema, run } };
}

const CALL: WireReply = { toolCalls: [{ name: 'note', input: { lines: ['a'] } }] };

type Settings = Parameters<typeof clientAt>[2];

async function converse(
  server: WireServer,
  over: Partial<Conversation> = {},
  settings: Settings = {},
  format = FORMATS[0]!,
): Promise<{ reply: Reply; events: WorkEvent[] }> {
  const events: WorkEvent[] = [];
  const reply = await clientAt(server, format, settings).converse({
    system: 'You take notes.',
    prompt: 'Begin.',
    maxSteps: 20,
    signal: new AbortController().signal,
    onWork: (event) => events.push(event),
    ...over,
  });
  return { reply, events };
}

describe('maxSteps', () => {
  it.each([1, 2, 3])('ends the conversation after %i calls and keeps the last text', async (maxSteps) => {
    const server = await serve([{ ...CALL, text: 'Look.' }, CALL, CALL, CALL]);
    const { reply } = await converse(server, { tools: note(), maxSteps });
    expect(reply).toMatchObject({ ending: 'steps', steps: maxSteps, text: 'Look.' });
    expect(reply.detail).toBe(
      `The limit of ${maxSteps} model ${maxSteps === 1 ? 'call' : 'calls'} is reached (--max-steps).`,
    );
    expect(server.requests).toHaveLength(maxSteps);
  });

  it('is counted anew in each conversation', async () => {
    const server = await serve([CALL, CALL, { text: 'Done.' }]);
    const client = clientAt(server, 'openai-chat');
    const conversation = {
      system: 's',
      prompt: 'p',
      tools: note(),
      signal: new AbortController().signal,
      onWork: () => {},
    };
    expect(await client.converse({ ...conversation, maxSteps: 1 })).toMatchObject({
      ending: 'steps',
      steps: 1,
    });
    expect(await client.converse({ ...conversation, maxSteps: 2 })).toMatchObject({
      ending: 'stopped',
      steps: 2,
    });
  });
});

describe.each(FORMATS)('a model that calls a tool, in %s', (format) => {
  it('gets the path of an invalid input, and the tool is not run', async () => {
    const server = await serve([
      { toolCalls: [{ name: 'note', input: { lines: ['a', 5] } }] },
      { text: 'Sorry.' },
    ]);
    let runs = 0;
    const tools = note(() => Promise.resolve(String(runs++)));
    const { reply } = await converse(server, { tools }, {}, format);
    expect(reply).toMatchObject({ ending: 'stopped', text: 'Sorry.', steps: 2 });
    expect(runs).toBe(0);
    expect(server.requests[1]!.body).toContain('/lines/1 must be string');
  });

  it('gets the message of an error that the tool throws', async () => {
    const server = await serve([CALL, { text: 'I see.' }]);
    const tools = note(() => Promise.reject(new Error('The pencil is broken.')));
    const { reply } = await converse(server, { tools }, {}, format);
    expect(reply).toMatchObject({ ending: 'stopped', text: 'I see.' });
    expect(server.requests[1]!.body).toContain('The pencil is broken.');
  });

  it('has its calls run sequentially, in order', async () => {
    const lines = ['a', 'b', 'c'];
    const toolCalls = lines.map((line) => ({ name: 'note', input: { lines: [line] } }));
    const server = await serve([{ toolCalls }, { text: 'Done.' }]);
    const log: string[] = [];
    const tools = note(async ({ lines: [line] }: { lines: [string] }) => {
      log.push(`${line} begins`);
      await new Promise(setImmediate);
      log.push(`${line} ends`);
      return line;
    });
    await converse(server, { tools }, {}, format);
    expect(log).toEqual(lines.flatMap((line) => [`${line} begins`, `${line} ends`]));
  });

  it('gets the schema of the answer', async () => {
    const answerSchema = {
      type: 'object',
      additionalProperties: false,
      required: ['verdict'],
      properties: { verdict: { type: 'string' } },
    };
    const server = await serve([{ text: '{"verdict":"off by one"}' }]);
    const { reply } = await converse(server, { answerSchema }, {}, format);
    expect(reply).toMatchObject({ ending: 'stopped', steps: 1 });
    expect(JSON.parse(reply.text)).toEqual({ verdict: 'off by one' });
    expect(server.requests[0]!.body).toContain('"verdict"');
  });

  it('is called again without the schema if the server rejects it', async () => {
    const usage = { input: 10, output: 1 };
    const server = await serve([
      { fault: { kind: 'status', status: 400 } },
      { text: '{"verdict":"none"}', usage },
    ]);
    const answerSchema = { type: 'object', properties: { verdict: { type: 'string' } } };
    const { reply } = await converse(server, { answerSchema }, {}, format);
    expect(reply).toMatchObject({ ending: 'stopped', text: '{"verdict":"none"}', steps: 1 });
    expect(reply.usage).toMatchObject({ input_tokens: 10, output_tokens: 1 });
    expect(server.requests.map(({ body }) => body.includes('"verdict"'))).toEqual([true, false]);
  });
});

describe('the answer schema', () => {
  const answerSchema = { type: 'object' };

  it('is dropped once: a second rejection ends the conversation', async () => {
    const server = await serve([1, 2, 3].map(() => ({ fault: { kind: 'status', status: 400 } })));
    expect((await converse(server, { answerSchema })).reply).toMatchObject({
      ending: 'failed',
      failure: { kind: 'request' },
      steps: 0,
    });
    expect(server.requests).toHaveLength(2);
  });

  it.each([401, 404] as const)('is not dropped after status %i', async (status) => {
    const server = await serve([{ fault: { kind: 'status', status } }, { text: '{}' }]);
    expect((await converse(server, { answerSchema })).reply.ending).toBe('failed');
    expect(server.requests).toHaveLength(1);
  });

  it('is not dropped once the server has accepted it', async () => {
    const server = await serve([CALL, { fault: { kind: 'status', status: 413 } }, CALL, { text: '{}' }]);
    let runs = 0;
    const tools = note(() => Promise.resolve(String(runs++)));
    expect((await converse(server, { answerSchema, tools })).reply).toMatchObject({
      ending: 'failed',
      failure: { kind: 'request' },
      steps: 1,
    });
    expect([runs, server.requests.length]).toEqual([1, 2]);
  });

  it('is not involved in a 400 if none was sent', async () => {
    const server = await serve([{ fault: { kind: 'status', status: 400 } }, { text: '{}' }]);
    expect((await converse(server)).reply.failure?.kind).toBe('request');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a stuck model', () => {
  it('is stopped after four invalid calls', async () => {
    const wrong = { toolCalls: [{ name: 'draw', input: {} }] };
    const server = await serve(Array.from({ length: 9 }, () => wrong));
    expect((await converse(server, { tools: note() })).reply).toMatchObject({
      ending: 'stuck',
      steps: 4,
      detail: expect.stringContaining('"draw"') as string,
    });
    expect(server.requests).toHaveLength(4);
  });

  it('is stopped after six identical calls', async () => {
    const server = await serve(Array.from({ length: 9 }, () => CALL));
    expect((await converse(server, { tools: note() })).reply).toMatchObject({ ending: 'stuck', steps: 6 });
  });
});

describe('an abort ends a conversation', () => {
  const LONG_MS = 600_000;
  const aborted = { ending: 'aborted' };

  it('before it begins', async () => {
    const server = await serve([{ text: 'Hi.' }]);
    expect((await converse(server, { signal: AbortSignal.abort() })).reply).toMatchObject({
      ...aborted,
      steps: 0,
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['a call without an answer', { fault: { kind: 'stall', after: 'request' } }],
    ['a half-finished answer', { text: 'Hal', fault: { kind: 'stall', after: 'first-chunk' } }],
  ] satisfies [string, WireReply][])('during %s', async (_name, stall) => {
    const caller = new AbortController();
    const server = await serve((_request, number) => {
      if (number === 0) return { ...CALL, text: 'Look.' };
      setImmediate(() => caller.abort());
      return stall;
    });
    const { reply, events } = await converse(
      server,
      { signal: caller.signal, tools: note() },
      { timeoutMs: LONG_MS },
    );
    expect(reply).toMatchObject({ ...aborted, steps: 1, text: 'Look.' });
    expect(events.filter(({ type }) => type === 'model_retry')).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it('during a tool, which gets the signal and is awaited', async () => {
    const caller = new AbortController();
    const server = await serve([CALL, { text: 'Never said.' }]);
    const log: string[] = [];
    const tools = note(async (_input, signal) => {
      setImmediate(() => caller.abort());
      await once(signal, 'abort');
      await new Promise(setImmediate);
      log.push('cleaned up');
      throw new Error('Stopped.');
    });
    expect((await converse(server, { signal: caller.signal, tools })).reply).toMatchObject({
      ...aborted,
      steps: 1,
    });
    expect(log).toEqual(['cleaned up']);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['from the retry event', (abort: () => void) => abort()],
    ['after the retry event', (abort: () => void) => void setImmediate(abort)],
  ])('during the wait for a retry, %s', async (_name, when) => {
    const caller = new AbortController();
    const server = await serve([
      { fault: { kind: 'status', status: 429, retryAfter: { seconds: LONG_MS } } },
      { text: 'Never said.' },
    ]);
    const onWork = ({ type }: WorkEvent): void => {
      if (type === 'model_retry') when(() => caller.abort());
    };
    const { reply } = await converse(server, { signal: caller.signal, onWork }, { maxDelayMs: LONG_MS });
    expect(reply).toMatchObject({ ...aborted, steps: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it('and leaves nothing that keeps the process running', async () => {
    const retryAfter = { seconds: LONG_MS };
    const server = await serve([{ fault: { kind: 'status', status: 429, retryAfter } }]);
    const script = join(import.meta.dirname, 'abort-and-end.ts');
    const { stdout } = await execa(process.execPath, [script, server.baseUrl('openai-chat')], {
      timeout: HANGS_MS,
    });
    expect(stdout).toBe('aborted');
  });
});

describe('a budget', () => {
  it('ends the conversation before the call that would exceed it, and keeps the text', async () => {
    const server = await serve([
      { ...CALL, text: 'Look.', usage: { input: 600, output: 100 } },
      { text: 'Never.' },
    ]);
    const { reply } = await converse(server, { tools: note() }, { budget: { maxTokens: 1000 } });
    expect(reply).toMatchObject({ ending: 'budget', text: 'Look.', steps: 1 });
    expect(reply).not.toHaveProperty('failure');
    expect(reply.detail).toContain('The token budget is 1000 (--max-tokens), 700 are used');
    expect(server.requests).toHaveLength(1);
  });

  it('lowers the output limit of a call', async () => {
    const server = await serve([{ text: 'Short.' }]);
    await converse(server, {}, { budget: { maxTokens: 700 } });
    const limit = server.requests[0]!.json['max_tokens'] as number;
    expect(limit).toBeGreaterThanOrEqual(256);
    expect(limit).toBeLessThan(700);
  });
});

describe('the usage of a conversation', () => {
  it('includes calls that failed after their reply had begun', async () => {
    const usage = { input: 100, output: 10, cached: 40 };
    const server = await serve([
      { ...CALL, usage },
      { text: 'This is cut off in the middle of it.', fault: { kind: 'truncated' } },
      { text: 'Done.', usage },
    ]);
    const { reply, events } = await converse(server, { tools: note() });
    expect(reply).toMatchObject({
      ending: 'stopped',
      steps: 2,
      usage: { cached_input_tokens: 80, cost_usd: null },
    });
    expect(reply.usage.input_tokens).toBeGreaterThan(200);
    expect(reply.usage.output_tokens).toBeGreaterThan(20);
    expect(events.filter(({ type }) => type === 'model_retry')).toHaveLength(1);
  });

  it('is zero if the API rejected every call', async () => {
    const server = await serve([{ fault: { kind: 'status', status: 401 } }]);
    expect((await converse(server)).reply.usage).toEqual({
      input_tokens: 0,
      output_tokens: 0,
      cached_input_tokens: 0,
      cost_usd: 0,
    });
  });

  it('has its cost by the price of the model', async () => {
    const server = await serve([{ text: 'Done.', usage: { input: 1000, output: 100 } }]);
    const prices = { 'openai-compatible/wire-model': { input: 1, output: 10 } };
    expect((await converse(server, {}, { prices })).reply.usage.cost_usd).toBeCloseTo(0.002, 10);
  });
});

it('reports the text of the model as it streams', async () => {
  const server = await serve([{ ...CALL, text: 'Let me look at this.' }, { text: 'It is done, I think.' }]);
  const { events } = await converse(server, { tools: note() });
  const said = events.flatMap((event) => (event.type === 'model_text' ? [event.text] : []));
  expect(said.length).toBeGreaterThan(2);
  expect(said.join('')).toBe('Let me look at this.It is done, I think.');
  expect(events.filter(({ type }) => type === 'model_called')).toHaveLength(2);
});

describe('the tool calls of one reply', () => {
  it('run side by side where they only read, with results in the order of the calls', async () => {
    const calls = ['a', 'b', 'c'].map((line) => ({ name: 'note', input: { lines: [line] } }));
    const server = await serve([{ toolCalls: calls }, { text: 'Done.' }]);
    const begun: string[] = [];
    let open = (): void => {};
    const allBegan = new Promise<void>((resolve) => (open = resolve));
    const tools = note(async ({ lines }: { lines: string[] }) => {
      begun.push(lines[0]!);
      if (begun.length === 3) open();
      // Would wait forever if the calls ran one after the other.
      await allBegan;
      return `noted ${lines[0]}`;
    });
    const onlyReads = { note: { ...tools['note']!, onlyReads: true } };
    const { reply } = await converse(server, { tools: onlyReads });
    expect(reply.ending).toBe('stopped');
    expect(begun).toEqual(['a', 'b', 'c']);
    expect(server.requests[1]!.body).toMatch(/noted a[^]*noted b[^]*noted c/);
  });
});
