import { afterEach, expect, it } from 'vitest';
import { createBoundedFetch } from '../../../src/agents/llm/bounded-fetch.ts';
import { startPlainServer } from './plain-server.ts';

const KEY = Symbol.for('undici.globalDispatcher.1');
const LONG = { model: 'openai/m', silenceMs: 60_000, totalMs: 60_000, maxBytes: 1000 };
const original: object = await fetch('data:,').then(() => Reflect.get(globalThis, KEY) as object);

afterEach(() => void Reflect.set(globalThis, KEY, original));

it('a bounded fetch waits longer than the timeouts of the global dispatcher', async () => {
  const Agent = original.constructor as new (options: object) => object;
  Reflect.set(globalThis, KEY, new Agent({ headersTimeout: 50, bodyTimeout: 50 }));
  const server = await startPlainServer((_request, response) => {
    setTimeout(() => {
      response.write('late ');
      setTimeout(() => response.end('reply'), 1500);
    }, 1500);
  });
  await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  expect(await (await createBoundedFetch(LONG)(server.url)).text()).toBe('late reply');
  await server.close();
});
