import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type FetchBounds } from '../../../src/agents/llm/guarded-fetch.ts';
import { closedPort } from '../../support/wire/index.ts';
import { always, startPlainServer, type PlainServer } from './plain-server.ts';

const PATIENT: FetchBounds = { silenceMs: 60_000, totalMs: 60_000, maxBytes: 1_000_000 };
/** A process that has not ended by then does not end. */
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

/** The whole text of the reply to a POST. */
async function ask(url: string, over: Partial<FetchBounds> = {}, init: RequestInit = {}): Promise<string> {
  const guarded = createGuardedFetch({ ...PATIENT, ...over });
  return await (await guarded(url, { method: 'POST', body: '{}', ...init })).text();
}

function drip(response: ServerResponse, everyMs: number, type = 'text/plain'): void {
  response.writeHead(200, { 'content-type': type });
  response.write('drop');
  const clock = setInterval(() => response.write('drop'), everyMs);
  response.on('close', () => clearInterval(clock));
}

describe('a guarded fetch', () => {
  it('gives a reply as it came', async () => {
    const server = await serve(always(201, 'größe', 'text/plain; charset=utf-8'));
    const reply = await createGuardedFetch(PATIENT)(server.url, { method: 'POST', body: '{}' });
    expect([reply.status, reply.statusText, reply.headers.get('content-type')]).toEqual([
      ...[201, 'Created', 'text/plain; charset=utf-8'],
    ]);
    expect(await reply.text()).toBe('größe');
  });

  it('gives a reply without a body, and one that is an error', async () => {
    const empty = await serve((_request, response) => void response.writeHead(204).end());
    const wrong = await serve(always(404, '<p>Not here</p>', HTML));
    expect(await ask(empty.url)).toBe('');
    expect(await ask(wrong.url)).toBe('<p>Not here</p>');
  });

  it.each([
    ['JSON', '{"choices":[],"error":{"message":"in a reply"}}'],
    ['JSON without an error', '{"id":1,"error":null}'],
    ['no JSON after all', '{"id":'],
  ])('gives %s as it came', async (_name, body) => {
    const server = await serve(always(200, body));
    expect(await ask(server.url)).toBe(body);
  });

  it('rejects where nobody listens, as fetch does', async () => {
    await expect(ask(`http://127.0.0.1:${await closedPort()}/`)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

describe('silence', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['before the headers', () => {}],
    ['after the headers', (response) => response.flushHeaders()],
    ['between two pieces', (response) => response.write('drop')],
  ])('%s ends a reply', async (_name, answer) => {
    const server = await serve((_request, response) => answer(response));
    await expect(ask(server.url, { silenceMs: 50 })).rejects.toMatchObject({
      ...{ name: 'WireError', kind: 'timeout', transient: true },
      message: "The model's server said nothing within 0.05 s.",
    });
  });

  it('is measured from the last piece, not from the first', async () => {
    const server = await serve((_request, response) => {
      drip(response, 100);
      setTimeout(() => response.end(), 2500);
    });
    expect(await ask(server.url, { silenceMs: 1500 })).toMatch(/^(drop)+$/);
  });

  it('in which something is said now and then is none, until all of it takes too long', async () => {
    const server = await serve((_request, response) => drip(response, 10));
    await expect(ask(server.url, { silenceMs: 30_000, totalMs: 300 })).rejects.toMatchObject({
      ...{ kind: 'timeout', message: "The model's server did not finish within 0.3 s." },
    });
  });
});

describe('what is no reply', () => {
  it('a web page is refused with its address, without what may be a key in it', async () => {
    const server = await serve(always(200, '<h1>Hello</h1>', HTML));
    await expect(ask(`${server.url}/v1/chat?key=secret`)).rejects.toMatchObject({
      ...{ name: 'WireError', kind: 'reply', transient: false },
      message: `${server.url}/v1/chat answers with a web page, not with a model's reply.`,
      hint: expect.stringContaining('--base-url') as string,
    });
  });

  it.each([
    ['of known length', false],
    ['of unknown length', true],
  ])('a reply %s is read up to the bound and no further', async (_name, chunked) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      if (chunked) response.flushHeaders();
      response.end('x'.repeat(3 * 1024 * 1024));
    });
    const tooLong = { kind: 'reply', transient: false, message: 'The reply is longer than 2 MiB.' };
    await expect(ask(server.url, { maxBytes: 2 * 1024 * 1024 })).rejects.toMatchObject(tooLong);
    expect((await ask(server.url, { maxBytes: 3 * 1024 * 1024 })).length).toBe(3 * 1024 * 1024);
  });

  it.each([
    [
      'an error in the clothes of a reply',
      '{"error":"Unexpected endpoint"}',
      { message: 'Unexpected endpoint' },
    ],
    ['one with its status', '{"error":{"message":"slow","code":429}}', { message: 'slow', code: 429 }],
    [
      'one with its name',
      '{"error":{"message":"busy","type":"overloaded_error"}}',
      { type: 'overloaded_error' },
    ],
  ])('%s is an error', async (_name, body, told) => {
    const server = await serve(always(200, body));
    await expect(ask(server.url)).rejects.toMatchObject({ name: 'MaskedError', ...told });
  });
});

describe('a redirect', () => {
  function redirect(status: number, location: string): Parameters<typeof startPlainServer>[0] {
    return (request, response) => {
      if (request.url === '/there') return void response.end(request.method);
      response.writeHead(status, { location }).end();
    };
  }

  it.each([307, 308])('with %i within the server is followed with its method', async (status) => {
    const server = await serve(redirect(status, '/there'));
    expect(await ask(`${server.url}/here`)).toBe('POST');
    expect(server.requests.map(({ url }) => url)).toEqual(['/here', '/there']);
  });

  it('to another server is told, and neither key nor prompt goes there', async () => {
    const other = await serve(always(200, '{}'));
    const server = await serve(redirect(307, `${other.url}/v1?key=secret`));
    const init = { headers: { 'x-api-key': 'secret' } };
    await expect(ask(`${server.url}/here`, {}, init)).rejects.toMatchObject({
      ...{ kind: 'reply', transient: false },
      message: `${server.url}/here redirects to ${other.url}/v1.`,
      hint: expect.stringContaining('--base-url') as string,
    });
    expect(other.requests).toHaveLength(0);
  });

  it.each([301, 302, 303])('with %i, which would lose the request, is told', async (status) => {
    const server = await serve(redirect(status, '/there'));
    await expect(ask(`${server.url}/here`)).rejects.toThrow(
      `${server.url}/here redirects to ${server.url}/there.`,
    );
  });

  it('without end is told after a few', async () => {
    const server = await serve(redirect(307, '/here'));
    await expect(ask(`${server.url}/here`)).rejects.toMatchObject({
      ...{ kind: 'reply', transient: false, message: `${server.url}/here redirects without end.` },
    });
    expect(server.requests).toHaveLength(6);
  });
});

describe('the caller', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['before the headers', () => {}],
    ['within the reply', (response) => response.write('drop')],
  ])('who aborts %s gets their own reason', async (_name, answer) => {
    const caller = new AbortController();
    const server = await serve((_request, response) => {
      answer(response);
      setImmediate(() => caller.abort(new Error('Enough.')));
    });
    await expect(ask(server.url, {}, { signal: caller.signal })).rejects.toThrow('Enough.');
  });

  it('who aborted before does not reach the server', async () => {
    const server = await serve(always(200, '{}'));
    await expect(ask(server.url, {}, { signal: AbortSignal.abort(new Error('Never.')) })).rejects.toThrow(
      'Never.',
    );
    expect(server.requests).toHaveLength(0);
  });
});

/** Each way in which a reply ends, and what the process that asked says of it. */
const ENDS: [string, string, (response: ServerResponse) => void, Partial<FetchBounds>][] = [
  ['a whole reply', 'read', (response) => response.end('all'), {}],
  ['a reply without a body', 'read', (response) => response.writeHead(204).end(), {}],
  ['a whole reply in JSON', 'read', (response) => always(200, '{}')(response.req, response), {}],
  [
    'an error in JSON',
    'MaskedError',
    (response) => always(200, '{"error":"no"}')(response.req, response),
    {},
  ],
  ['a web page without end', 'WireError', (response) => drip(response, 5, HTML), {}],
  ['a reset', 'TypeError', (response) => response.destroy(), {}],
  [
    'a reply that is cut off',
    'TypeError',
    (response) => response.write('half', () => response.destroy()),
    {},
  ],
  ['silence', 'WireError', () => {}, { silenceMs: 30 }],
  ['a drip', 'WireError', (response) => drip(response, 5), { totalMs: 100 }],
  ['too long a reply', 'WireError', (response) => drip(response, 1), { maxBytes: 10 }],
  [
    'a redirect',
    'WireError',
    (response) => response.writeHead(302, { location: '/x' }).end('x'.repeat(1e6)),
    {},
  ],
];

describe.concurrent('no clock and no connection keeps the process', () => {
  const FOR_LONG: FetchBounds = { silenceMs: 600_000, totalMs: 600_000, maxBytes: 1_000_000 };

  it.each(ENDS)('after %s (%s)', async (_name, told, answer, bounds) => {
    const server = await startPlainServer((_request, response) => void answer(response));
    const asker = await askInProcess(server, { ...FOR_LONG, ...bounds }, 'all');
    expect(asker).toEqual({ told, code: 0 });
    await server.close();
  });

  it('after a caller who reads only the beginning', async () => {
    const server = await startPlainServer((_request, response) => drip(response, 5));
    expect(await askInProcess(server, FOR_LONG, 'beginning')).toEqual({ told: 'read', code: 0 });
    await server.close();
  });
});

async function askInProcess(server: PlainServer, bounds: FetchBounds, reading: string): Promise<object> {
  const script = join(import.meta.dirname, 'ask-and-end.ts');
  const asker = spawn(process.execPath, [script, server.url, JSON.stringify(bounds), reading], {
    timeout: HANGS_MS,
  });
  const told = text(asker.stdout);
  const [code] = (await once(asker, 'close')) as [number | null];
  return { told: await told, code };
}
