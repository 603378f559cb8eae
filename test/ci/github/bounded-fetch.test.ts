import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundedFetch } from '../../../src/ci/github/bounded-fetch.ts';
import { createGitHub } from '../../../src/ci/github/client.ts';
import { parseRepository } from '../../../src/ci/github/repository-name.ts';

let stop: () => void = () => {};
afterEach(() => stop());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each<[string, RequestListener]>([
  ['never comes', () => {}],
  [
    'begins and never ends',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"number": ');
    },
  ],
])('an answer that %s is not waited for', async (_, listener) => {
  const url = await serve(listener);
  await expect(boundedFetch({ answerMs: 200 })(url)).rejects.toThrow('no answer within 1 s');
});

test('an answer that comes is the same', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/none') response.writeHead(204).end();
    else response.writeHead(201, { 'x-kind': 'a' }).end('{"a":1}');
  });
  const answer = await boundedFetch({})(`${url}/some`);
  expect([answer.status, answer.headers.get('x-kind'), answer.url]).toEqual([201, 'a', `${url}/some`]);
  expect(await answer.json()).toEqual({ a: 1 });
  expect((await boundedFetch({})(`${url}/none`)).status).toBe(204);
});

test('a request that is not answered is sent again, and the sentence names it', async () => {
  const asked: string[] = [];
  const url = await serve((request) => asked.push(request.url!));
  const github = createGitHub({
    ...{ repository: parseRepository('octo-org/shop')!, token: 'x', apiUrl: url },
    bounds: { answerMs: 100, endsAt: performance.now() + 1500 },
  });
  await expect(github.defaultBranch()).rejects.toThrow(
    'GitHub could not be reached for GET /repos/octo-org/shop: ',
  );
  expect(asked.length).toBeGreaterThan(1);
  // After the time of the step, nothing is sent.
  const before = asked.length;
  await expect(github.defaultBranch()).rejects.toThrow('the time for this step is over');
  expect(asked).toHaveLength(before);
});

test('redirects are followed within one host, and to another one for the log of a job alone, without the token', async () => {
  const asked: string[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'no token'}`);
    response.end('[]');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const url = await serve((request, response) => {
    if (request.url === '/new')
      return void response.end(`${request.method} ${request.headers.authorization}`);
    const target = request.url === '/old' ? '/new' : `http://localhost:${port}/x`;
    response.writeHead(request.url === '/round' ? 302 : 307, {
      location: request.url === '/round' ? '/round' : target,
    });
    response.end();
  });
  const init = { headers: { authorization: 'token t' } };
  const get = boundedFetch({});
  expect(await (await get(`${url}/old`, { ...init, method: 'POST', body: '{}' })).text()).toBe(
    'POST token t',
  );
  await expect(get(`${url}/pulls`, init)).rejects.toThrow(`it redirects to http://localhost:${port}`);
  await expect(get(`${url}/round`, init)).rejects.toThrow('it redirects more than 3 times');
  expect(await (await get(`${url}/repos/o/r/actions/jobs/7/logs`, init)).text()).toBe('[]');
  expect(asked).toEqual(['GET /x no token']);
  elsewhere.close();
});

test('an answer that is far too long is not read', async () => {
  const url = await serve((_, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const write = (): void => {
      while (response.write(chunk));
      response.once('drain', write);
    };
    write();
  });
  await expect(boundedFetch({})(url)).rejects.toThrow('the answer is longer than 33554432 bytes');
});
