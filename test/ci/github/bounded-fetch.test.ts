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
