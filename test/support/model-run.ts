/** `ralph run` with a model, which is a wire server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trajectory } from '../../src/schema/generated.ts';
import { ralphRun, type RalphOptions } from './ralph.ts';
import type { Files } from './repositories.ts';
import type { WireFormat, WireReply, WireServer } from './wire/index.ts';

/** A total that forgets the quantity. */
export const CART_FILES: Files = {
  'package.json': { name: 'shop', type: 'module', scripts: { test: 'node --test' } },
  'src/cart.js': [
    'export function total(items) {',
    '  let sum = 0;',
    '  for (const item of items) sum += item.price;',
    '  return sum;',
    '}',
    '',
  ].join('\n'),
  'test/cart.test.js': [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    "import { total } from '../src/cart.js';",
    "test('counts the quantity', () => assert.equal(total([{ price: 2, quantity: 3 }]), 6));",
    "test('is nothing for nothing', () => assert.equal(total([]), 0));",
    '',
  ].join('\n'),
};

/** The same with a check that only looks at the source; see `QUICK_FILES`. */
export const QUICK_CART_FILES: Files = {
  ...CART_FILES,
  'ralph.config.json': { checks: { tests: 'sh check.sh' } },
  'check.sh':
    "grep -q 'item.price \\* item.quantity' src/cart.js && exit\necho 'counts the quantity: 2, not 6' >&2\nexit 1\n",
};

export const RIGHT_EDIT = { oldText: 'sum += item.price;', newText: 'sum += item.price * item.quantity;' };
export const WRONG_EDIT = { oldText: 'sum += item.price;', newText: 'sum += item.price + 1;' };

export function edits(edit: { oldText: string; newText: string }): WireReply {
  return { toolCalls: [{ name: 'edit', input: { path: 'src/cart.js', edits: [edit] } }] };
}

/** Six calls that repair the cart: list, read, read, edit, `npm test`, last words. */
export const SESSION: readonly WireReply[] = [
  { text: 'Let me look.', toolCalls: [{ name: 'list', input: {} }] },
  { toolCalls: [{ name: 'read', input: { path: 'src/cart.js' } }] },
  { toolCalls: [{ name: 'read', input: { path: 'test/cart.test.js' } }] },
  edits(RIGHT_EDIT),
  { toolCalls: [{ name: 'bash', input: { command: 'npm test' } }] },
  { text: 'The quantity was left out of the sum.' },
];

const PROVIDERS: Readonly<Record<WireFormat, string>> = {
  'openai-chat': 'openai-compatible',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
};

export const KEYS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'sk-ant-of-the-tests-0123456789',
  OPENAI_API_KEY: 'sk-of-the-tests-0123456789abcdef',
  GOOGLE_GENERATIVE_AI_API_KEY: 'key-of-the-tests-0123456789',
};

/** The flags that name the server's model. */
export function modelFlags(server: WireServer, format: WireFormat = 'openai-chat'): string[] {
  return ['--model', `${PROVIDERS[format]}/wire-model`, '--base-url', server.baseUrl(format)];
}

/**
 * `ralph run --format json` with the server's model, without acceptance tests and mutants, and with reflections by rules
 * unless the arguments say otherwise.
 */
export function runWith(
  server: WireServer,
  root: string,
  args: readonly string[] = [],
  options: RalphOptions & { readonly format?: WireFormat } = {},
): ReturnType<typeof ralphRun> {
  const reflector = args.includes('--reflector') ? [] : ['--reflector', 'rules'];
  const all = [
    'make the tests pass',
    '--no-acceptance-tests',
    '--proof-time',
    '0s',
    ...modelFlags(server, options.format),
    '--max-retry-delay',
    '10ms',
    ...reflector,
  ];
  return ralphRun(root, [...all, ...args], { ...options, env: { ...KEYS, ...options.env } });
}

/** What an attempt did, from the loop's files. */
export function trajectoryOf(root: string, loopId: string, attempt = '001'): Trajectory {
  const path = join(root, '.aiwg/ralph/loops', loopId, 'attempts', attempt, 'trajectory.jsonl');
  const [head, ...actions] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  return { ...head, actions } as unknown as Trajectory;
}
