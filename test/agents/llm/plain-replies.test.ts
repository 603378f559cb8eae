import { afterEach, expect, it } from 'vitest';
import type { ClientSettings } from '../../../src/agents/llm/client-settings.ts';
import { hold, clientAt } from './client-at.ts';
import { always, startPlainServer, type PlainServer } from './plain-server.ts';

const servers: PlainServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function answered(body: string, type: string) {
  const server = await startPlainServer(always(200, body, type));
  servers.push(server);
  const settings: Partial<ClientSettings> = { baseUrl: `${server.url}/v1` };
  // The wire server is not asked: the address is that of the plain one.
  const client = clientAt({ baseUrl: () => server.url } as never, 'openai-chat', settings);
  const { reply } = await hold(client);
  return { reply, requests: server.requests.length };
}

const message = { role: 'assistant', content: 'That is all that I have to say.' };
const MANY = { prompt_tokens: 'many', completion_tokens: null, total_tokens: 'many0' };
const ABSURD = { prompt_tokens: -500, completion_tokens: 1e300, total_tokens: 1e300 };

function plain(usage: object): string {
  return JSON.stringify({
    id: '1',
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  });
}

function streamed(usage: object): string {
  const chunks = [
    { choices: [{ index: 0, delta: message, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify({ id: '1', model: 'm', ...chunk })}\n\n`).join('')}data: [DONE]\n\n`;
}

it('reads the plain reply of a server that does not stream, with one request', async () => {
  const usage = { prompt_tokens: 120, completion_tokens: 9, total_tokens: 129 };
  const { reply, requests } = await answered(plain(usage), 'application/json; charset=utf-8');
  expect(requests).toBe(1);
  expect(reply).toMatchObject({
    ending: 'stopped',
    text: message.content,
    steps: 1,
    usage: { input_tokens: 120, output_tokens: 9 },
  });
});

it.each(['text/event-stream', 'application/json', 'application/json; charset=utf-8'])(
  'reads a stream that is labelled as %s, with one request',
  async (type) => {
    const usage = { prompt_tokens: 120, completion_tokens: 9, total_tokens: 129 };
    const { reply, requests } = await answered(`\n${streamed(usage)}`, type);
    expect(requests).toBe(1);
    expect(reply).toMatchObject({
      ending: 'stopped',
      text: message.content,
      usage: { input_tokens: 120, output_tokens: 9 },
    });
  },
);

it.each([
  ['texts in a stream', streamed(MANY), 'text/event-stream'],
  ['impossible numbers in a stream', streamed(ABSURD), 'text/event-stream'],
  ['texts in a stream that is labelled as JSON', streamed(MANY), 'application/json'],
  ['impossible numbers in a stream that is labelled as JSON', streamed(ABSURD), 'application/json'],
  ['texts in a plain reply', plain(MANY), 'application/json'],
  ['impossible numbers in a plain reply', plain(ABSURD), 'application/json'],
])('estimates the usage if it is reported as %s', async (_what, body, type) => {
  const { reply, requests } = await answered(body, type);
  expect({ ending: reply.ending, text: reply.text, requests }).toEqual({
    ending: 'stopped',
    text: message.content,
    requests: 1,
  });
  const { input_tokens: input, output_tokens: output } = reply.usage;
  expect(input).toBeGreaterThan(10);
  expect(input).toBeLessThan(1000);
  expect(output).toBeGreaterThan(3);
  expect(output).toBeLessThan(100);
});
