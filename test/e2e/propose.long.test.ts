import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CART_FILES, edits, RIGHT_EDIT, runWith, trajectoryOf } from '../support/model-run.ts';
import { ralph } from '../support/ralph.ts';
import { repositoryWith, type Files } from '../support/repositories.ts';
import type { WireReply } from '../support/wire/index.ts';
import { serve } from '../support/wire/serve.ts';

/** A total that forgets the quantity and the discount: no single edit of the offline search repairs it. */
const FILES: Files = {
  ...CART_FILES,
  'ralph.config.json': { search: { maxTime: '20s' } },
  'test/cart.test.js': [
    "import test from 'node:test';",
    "import assert from 'node:assert';",
    "import { total } from '../src/cart.js';",
    "test('counts the quantity', () => assert.equal(total([{ price: 2, quantity: 3 }]), 6));",
    "test('takes off the discount', () => assert.equal(total([{ price: 10, quantity: 2, discount: 0.5 }, { price: 1, quantity: 4 }]), 14));",
    "test('is nothing for nothing', () => assert.equal(total([]), 0));",
    '',
  ].join('\n'),
};
const BEFORE = 'sum += item.price;';
const RIGHT = 'sum += item.price * item.quantity * (1 - (item.discount ?? 0));';

function proposes(...after: readonly string[]): WireReply {
  return {
    text: JSON.stringify({
      edits: after.map((text) => ({ file: 'src/cart.js', before: BEFORE, after: text })),
    }),
  };
}

const ARGUMENTS = ['--propose', '-i', '1'];

describe('--propose', () => {
  it('repairs with one request, by trying the edits that the model proposes', async () => {
    const server = await serve([proposes('sum -= item.price;', 'sum += item.quantity;', RIGHT)]);
    const root = repositoryWith(FILES);
    const { exitCode, verdict } = await runWith(server, root, ARGUMENTS);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 0, requests: 1 });
    expect(readFileSync(join(root, 'src/cart.js'), 'utf8')).toContain(RIGHT);
    expect(verdict.usage.input_tokens).toBeGreaterThan(0);
    expect(trajectoryOf(root, verdict.loop_id!).usage).toEqual(verdict.usage);
  });

  it('does not take an edit that only recognises the inputs of the tests, and goes on with the actor', async () => {
    const bent = 'sum += items.length === 1 ? 6 : item.quantity === 4 ? 4 : 10;';
    const server = await serve([proposes(bent), { text: 'I cannot do it.' }]);
    const root = repositoryWith(FILES);
    const { exitCode } = await runWith(server, root, ARGUMENTS);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 1, requests: 2 });
    expect(readFileSync(join(root, 'src/cart.js'), 'utf8')).toBe(FILES['src/cart.js']);
  });

  it('tries the other edits if some cannot be used, and says how many cannot and why', async () => {
    const edit = (file: string, before: string, after: string) => ({ file, before, after });
    const list = [
      edit('src/cart.js', '', 'x'),
      edit('src/cart.js', 'item', 'lime'),
      edit('test/cart.test.js', '14', '15'),
      edit('src/cart.js', BEFORE, RIGHT),
    ];
    const server = await serve([{ text: JSON.stringify({ edits: list }) }]);
    const { exitCode, stderr } = await runWith(server, repositoryWith(FILES), ARGUMENTS);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 0, requests: 1 });
    expect(stderr).toContain(
      'Of 4 edits that the model proposed, 3 could not be tried: 1 without a text to replace, ' +
        '1 with a text that its file has more than once, 1 in no source that the failing tests reach.',
    );
  });

  it.each([
    ['is no JSON', { text: 'Change the sum.' }],
    ['has only edits that cannot be used', { text: '{"edits": [{"path": "src/cart.js"}]}' }],
  ] satisfies [string, WireReply][])('searches by itself if the answer %s', async (_why, reply) => {
    const server = await serve([reply]);
    const files = {
      ...FILES,
      'src/cart.js': String(CART_FILES['src/cart.js']).replace(
        '+= item.price',
        '-= item.price * item.quantity',
      ),
      'test/cart.test.js': CART_FILES['test/cart.test.js']!,
    };
    const { exitCode, stderr } = await runWith(server, repositoryWith(files), ARGUMENTS);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 0, requests: 1 });
    expect(stderr).toContain('the model proposed');
  });

  it.each([
    ['is no JSON', { text: 'Change the sum.' }],
    ['has another form', { text: '{"edits": [{"path": "src/cart.js"}]}' }],
    ['names no edit', { text: '{"edits": []}' }],
  ] satisfies [string, WireReply][])('goes on with the actor if the answer %s', async (_why, reply) => {
    const edit = { ...RIGHT_EDIT, newText: RIGHT };
    const server = await serve([reply, edits(edit), { text: 'Done.' }]);
    const { exitCode, verdict } = await runWith(server, repositoryWith(FILES), ARGUMENTS);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 0, requests: 3 });
    expect(verdict.iterations).toBe(1);
  });

  it('needs a model', async () => {
    const { exitCode, stderr } = await ralph(repositoryWith(CART_FILES), ['run', '--propose']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/--propose needs a model, and --actor search asks none/);
  });
});
