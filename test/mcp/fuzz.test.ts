import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/repositories.ts';
import { put, sampleReflection } from '../memory/sample.ts';
import { connectRaw, HELLO } from './memory-client.ts';

const MESSAGES = Number(process.env.RALPH_MCP_MESSAGES ?? 1000);
const METHODS = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'prompts/get'],
  ...[
    'prompts/list',
    'resources/templates/list',
    'resources/subscribe',
    'logging/setLevel',
    'completion/complete',
  ],
  ...[
    'notifications/initialized',
    'notifications/cancelled',
    'sampling/createMessage',
    'no/such',
    '__proto__',
    '',
  ],
];
const NAMES = [
  'search_reflections',
  'search_lessons',
  'read_playbook',
  'propose_lesson',
  'evaluate',
  'constructor',
  '',
];
const FIELDS = [
  'words',
  'limit',
  'file',
  'since',
  'loop',
  'categories',
  'uri',
  'name',
  'arguments',
  '__proto__',
  'text',
];

it(`outlives ${MESSAGES} malformed messages, and answers the next one`, async () => {
  const root = temporaryFolder();
  put(root, '.aiwg/ralph/reflections/ralph-sample/001.json', sampleReflection());
  const client = connectRaw(root);
  await client.ask('initialize', HELLO);
  let state = 4711;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const bytes = (count: number): string =>
    Array.from({ length: count }, () => String.fromCharCode(random(pick([128, 256, 0x10000])))).join('');
  const value = (depth = 0): unknown =>
    pick<() => unknown>([
      () => null,
      () => random(3) - 1,
      () => 1e308,
      () => random(2) === 0,
      () => bytes(random(30)),
      () => 'x'.repeat(random(3000)),
      () => '../'.repeat(5) + 'etc/passwd\0',
      () => 'ralph://reflections/ralph-sample/' + pick(['1', '0', '../1', '9'.repeat(20)]),
      () => (depth > 3 ? [] : Array.from({ length: random(4) }, () => value(depth + 1))),
      () =>
        depth > 3
          ? {}
          : Object.fromEntries(Array.from({ length: random(4) }, () => [pick(FIELDS), value(depth + 1)])),
    ])();
  const message = (): unknown => ({
    ...(random(10) > 0 && { jsonrpc: random(20) > 0 ? '2.0' : value() }),
    ...(random(5) > 0 && { id: random(4) > 0 ? random(1000) : value() }),
    ...(random(8) > 0 && { method: random(8) > 0 ? pick(METHODS) : value() }),
    ...(random(4) > 0 && {
      params:
        random(3) === 0
          ? value()
          : { name: random(4) > 0 ? pick(NAMES) : value(), arguments: value(), uri: value() },
    }),
    ...(random(12) === 0 && { result: value() }),
    ...(random(12) === 0 && { error: value() }),
  });
  const line = (): string => {
    const text = JSON.stringify(message());
    return pick([
      () => text,
      () => text,
      () => text.slice(0, random(text.length)),
      () => text.slice(0, random(text.length)) + bytes(random(5)) + text.slice(random(text.length)),
      () => `[${text},${text}]`,
      () => bytes(random(200)),
      () => '['.repeat(random(5000)),
      () => '{"a":'.repeat(random(2000)),
      () => '',
    ])().replaceAll('\n', ' ');
  };
  for (let sent = 0; sent < MESSAGES; sent++) {
    client.send(line());
    if (sent % 50 === 49) expect(await client.ask('ping')).toMatchObject({ result: {} });
  }
  const found = await client.ask('tools/call', {
    name: 'search_reflections',
    arguments: { words: 'parser', limit: 1 },
  });
  expect(found.result?.isError).toBeUndefined();
  expect(JSON.parse(found.result!.content![0]!.text)).toMatchObject({ shown: 1 });
  expect(client.problems.length).toBeGreaterThan(MESSAGES / 10);
  // Every line that came out was a message.
  expect(client.answers().length).toBeGreaterThan(MESSAGES / 20);
  await client.close();
});
