import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { createBoundedFetch, type FetchBounds } from '../../../src/agents/llm/bounded-fetch.ts';
import { closedPort } from '../../support/wire/index.ts';
import { always, startPlainServer, type PlainServer } from './plain-server.ts';

const WIDE: FetchBounds = { model: 'openai/m', silenceMs: 60_000, totalMs: 60_000, maxBytes: 1_000_000 };
/** A process that runs longer is considered to hang. */
const HANGS_MS = 30_000;
const HTML = 'text/html; charset=utf-8';

const servers: PlainServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: Parameters<typeof startPlainServer>[0]): Promise<PlainServer> {
  const server = await startPlainServer(answer);
  servers.push(server);
  return server;
}

/** The body of the reply to a POST. */
async function ask(url: string, over: Partial<FetchBounds> = {}, init: RequestInit = {}): Promise<string> {
  const boundedFetch = createBoundedFetch({ ...WIDE, ...over });
  return await (await boundedFetch(url, { method: 'POST', body: '{}', ...init })).text();
}

function drip(response: ServerResponse, everyMs: number, type = 'text/plain'): void {
  response.writeHead(200, { 'content-type': type });
  response.write('drop');
  const clock = setInterval(() => response.write('drop'), everyMs);
  response.on('close', () => clearInterval(clock));
}

describe('createBoundedFetch', () => {
  it('returns status, headers and body unchanged', async () => {
    const server = await serve(always(201, 'größe', 'text/plain; charset=utf-8'));
    const reply = await createBoundedFetch(WIDE)(server.url, { method: 'POST', body: '{}' });
    expect([reply.status, reply.statusText, reply.headers.get('content-type')]).toEqual([
      201,
      'Created',
      'text/plain; charset=utf-8',
    ]);
    expect(await reply.text()).toBe('größe');
  });

  it('returns a reply without a body, and one with an error status', async () => {
    const empty = await serve((_request, response) => void response.writeHead(204).end());
    const wrong = await serve(always(404, '<p>Not here</p>', HTML));
    expect(await ask(empty.url)).toBe('');
    expect(await ask(wrong.url)).toBe('<p>Not here</p>');
  });

  it.each([
    ['a JSON reply with an error field', '{"choices":[],"error":{"message":"in a reply"}}'],
    ['JSON without an error', '{"id":1,"error":null}'],
    ['invalid JSON', '{"id":'],
  ])('returns %s unchanged', async (_name, body) => {
    const server = await serve(always(200, body));
    expect(await ask(server.url)).toBe(body);
  });

  it('rejects with the error of fetch if the connection is refused', async () => {
    await expect(ask(`http://127.0.0.1:${await closedPort()}/`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

describe('the time limits', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['before the headers', () => {}],
    ['after the headers', (response) => response.flushHeaders()],
    ['between two chunks', (response) => response.write('drop')],
  ])('end a reply that is silent %s', async (_name, answer) => {
    const server = await serve((_request, response) => answer(response));
    await expect(ask(server.url, { silenceMs: 50 })).rejects.toMatchObject({
      name: 'WireError',
      kind: 'timeout',
      transient: true,
      message: 'openai/m: the server sent nothing within 0.05 s (--model-timeout 0.05s).',
    });
  });

  it('measure silence from the last chunk', async () => {
    const server = await serve((_request, response) => {
      drip(response, 100);
      setTimeout(() => response.end(), 2500);
    });
    expect(await ask(server.url, { silenceMs: 1500 })).toMatch(/^(drop)+$/);
  });

  it('end a reply that never finishes, although it is not silent', async () => {
    const server = await serve((_request, response) => drip(response, 10));
    await expect(ask(server.url, { silenceMs: 30_000, totalMs: 300 })).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(
        /^openai\/m: the server did not finish its reply within 0\.3 s \(\d+ times --model-timeout 30s\)\.$/,
      ) as string,
    });
  });
});

describe('an unusable reply', () => {
  it('is an HTML page, reported with its address but without the query', async () => {
    const server = await serve(always(200, '<h1>Hello</h1>', HTML));
    await expect(ask(`${server.url}/v1/chat?key=secret`)).rejects.toMatchObject({
      name: 'WireError',
      kind: 'reply',
      transient: false,
      message: `${server.url}/v1/chat answers with a web page, not with a model's reply.`,
      hint: expect.stringContaining('--base-url') as string,
    });
  });

  it.each([
    ['with Content-Length', false],
    ['chunked', true],
  ])('is larger than the limit, %s', async (_name, chunked) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      if (chunked) response.flushHeaders();
      response.end('x'.repeat(3 * 1024 * 1024));
    });
    const tooLong = { kind: 'reply', transient: false, message: 'The reply is larger than 2 MiB.' };
    await expect(ask(server.url, { maxBytes: 2 * 1024 * 1024 })).rejects.toMatchObject(tooLong);
    expect((await ask(server.url, { maxBytes: 3 * 1024 * 1024 })).length).toBe(3 * 1024 * 1024);
  });

  it.each([
    ['a message', '{"error":"Unexpected endpoint"}', { message: 'Unexpected endpoint' }],
    ['a status', '{"error":{"message":"slow","code":429}}', { message: 'slow', code: 429 }],
    ['a name', '{"error":{"message":"busy","type":"overloaded_error"}}', { type: 'overloaded_error' }],
  ])('is an error with status 200 that has %s', async (_name, body, expected) => {
    const server = await serve(always(200, body));
    await expect(ask(server.url)).rejects.toMatchObject({ name: 'ErrorPayloadError', ...expected });
  });
});

describe('a redirect', () => {
  function redirect(status: number, location: string): Parameters<typeof startPlainServer>[0] {
    return (request, response) => {
      if (request.url === '/there') return void response.end(request.method);
      response.writeHead(status, { location }).end();
    };
  }

  it.each([307, 308])('with %i within the host is followed with the same method', async (status) => {
    const server = await serve(redirect(status, '/there'));
    expect(await ask(`${server.url}/here`)).toBe('POST');
    expect(server.requests.map(({ url }) => url)).toEqual(['/here', '/there']);
  });

  it('to another host rejects without a request to that host', async () => {
    const other = await serve(always(200, '{}'));
    const server = await serve(redirect(307, `${other.url}/v1?key=secret`));
    const init = { headers: { 'x-api-key': 'secret' } };
    await expect(ask(`${server.url}/here`, {}, init)).rejects.toMatchObject({
      kind: 'reply',
      transient: false,
      message: `${server.url}/here redirects to ${other.url}/v1.`,
      hint: expect.stringContaining('--base-url') as string,
    });
    expect(other.requests).toHaveLength(0);
  });

  it.each([301, 302, 303])('with %i, which would drop the request body, rejects', async (status) => {
    const server = await serve(redirect(status, '/there'));
    await expect(ask(`${server.url}/here`)).rejects.toThrow(
      `${server.url}/here redirects to ${server.url}/there.`,
    );
  });

  it('that repeats rejects after five', async () => {
    const server = await serve(redirect(307, '/here'));
    await expect(ask(`${server.url}/here`)).rejects.toMatchObject({
      kind: 'reply',
      transient: false,
      message: `${server.url}/here redirects more than 5 times.`,
    });
    expect(server.requests).toHaveLength(6);
  });
});

describe('an abort by the caller', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['before the headers', () => {}],
    ['within the body', (response) => response.write('drop')],
  ])('%s rejects with the reason', async (_name, answer) => {
    const caller = new AbortController();
    const server = await serve((_request, response) => {
      answer(response);
      setImmediate(() => caller.abort(new Error('Enough.')));
    });
    await expect(ask(server.url, {}, { signal: caller.signal })).rejects.toThrow('Enough.');
  });

  it('before the request sends nothing', async () => {
    const server = await serve(always(200, '{}'));
    await expect(ask(server.url, {}, { signal: AbortSignal.abort(new Error('Never.')) })).rejects.toThrow(
      'Never.',
    );
    expect(server.requests).toHaveLength(0);
  });
});

/** Name, output of the process that asked, the server's answer, the bounds. */
const ENDS: [string, string, (response: ServerResponse) => void, Partial<FetchBounds>][] = [
  ['a complete reply', 'read', (response) => response.end('all'), {}],
  ['a reply without a body', 'read', (response) => response.writeHead(204).end(), {}],
  ['a complete JSON reply', 'read', (response) => always(200, '{}')(response.req, response), {}],
  [
    'an error in JSON',
    'ErrorPayloadError',
    (response) => always(200, '{"error":"no"}')(response.req, response),
    {},
  ],
  ['an endless web page', 'WireError', (response) => drip(response, 5, HTML), {}],
  ['a reset', 'TypeError', (response) => response.destroy(), {}],
  ['a truncated reply', 'TypeError', (response) => response.write('half', () => response.destroy()), {}],
  ['silence', 'WireError', () => {}, { silenceMs: 30 }],
  ['an endless drip', 'WireError', (response) => drip(response, 5), { totalMs: 100 }],
  ['a too large reply', 'WireError', (response) => drip(response, 1), { maxBytes: 10 }],
  [
    'a redirect',
    'WireError',
    (response) => response.writeHead(302, { location: '/x' }).end('x'.repeat(1e6)),
    {},
  ],
];

describe.concurrent('no timer or connection keeps the process running', () => {
  const LONG: FetchBounds = { model: 'openai/m', silenceMs: 600_000, totalMs: 600_000, maxBytes: 1_000_000 };

  it.each(ENDS)('after %s (%s)', async (_name, output, answer, bounds) => {
    const server = await startPlainServer((_request, response) => void answer(response));
    const asker = await askInProcess(server, { ...LONG, ...bounds }, 'all');
    expect(asker).toEqual({ output, code: 0 });
    await server.close();
  });

  it('after the body was cancelled', async () => {
    const server = await startPlainServer((_request, response) => drip(response, 5));
    expect(await askInProcess(server, LONG, 'beginning')).toEqual({ output: 'read', code: 0 });
    await server.close();
  });
});

async function askInProcess(server: PlainServer, bounds: FetchBounds, reading: string): Promise<object> {
  const script = join(import.meta.dirname, 'ask-and-end.ts');
  const { stdout, exitCode } = await execa(
    process.execPath,
    [script, server.url, JSON.stringify(bounds), reading],
    { timeout: HANGS_MS, stripFinalNewline: false, reject: false },
  );
  return { output: stdout, code: exitCode ?? null };
}
