import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readMessages, type LongMessage } from '../../src/mcp/read-messages.ts';

const LONG = 'x'.repeat(5 * 1024 * 1024);

async function read(...lines: readonly string[]): Promise<{ passed: string; long: LongMessage[] }> {
  const long: LongMessage[] = [];
  const input = Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(''))]);
  let passed = '';
  for await (const chunk of readMessages(input, (message) => long.push(message))) passed += String(chunk);
  return { passed, long };
}

describe('readMessages', () => {
  it.each<[string, object, number | string | undefined]>([
    ['at the end', { method: 'm', params: { a: LONG }, jsonrpc: '2.0', id: 7 }, 7],
    ['at the start', { jsonrpc: '2.0', id: 'seven', method: 'm', params: { id: 8, a: LONG } }, 'seven'],
    ['after the method', { jsonrpc: '2.0', method: 'm', id: 7, params: { a: LONG } }, 7],
    [
      'only inside params',
      { jsonrpc: '2.0', method: 'm', params: { id: 8, a: LONG, x: { a: 1, id: 9 } } },
      undefined,
    ],
  ])('drops a message that is too long, with its id %s', async (_, message, id) => {
    const { passed, long } = await read('{"a":1}', JSON.stringify(message), '{"b":2}');
    expect(passed).toBe('{"a":1}\n{"b":2}\n');
    expect(long.map((one) => one.id)).toEqual([id]);
    expect(long[0]!.reason).toMatch(/^The message has 52\d{5} bytes; the limit is 4194304/);
  });
});
