import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, sampleReflection } from '../memory/sample.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { ralph } from '../support/ralph.ts';
import { fingerprintOf, NODE_TEST_FILES, repositoryWith } from '../support/repositories.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');

/** A session of the SDK client with the built server. */
async function withClient(
  root: string,
  flags: readonly string[],
  act: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...(process.env as Record<string, string>), ...(!hasBubblewrap && { RALPH_SANDBOX: 'off' }) };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', ...flags],
      cwd: root,
      env,
      stderr: 'ignore',
    }),
  );
  try {
    await act(client);
  } finally {
    await client.close();
  }
}

function repository(): string {
  const root = repositoryWith(NODE_TEST_FILES);
  put(root, '.aiwg/ralph/reflections/ralph-sample/001.json', sampleReflection());
  return root;
}

const textOf = (result: object): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('');

describe('ralph mcp', () => {
  it('serves tools, resources and prompts to a client', async () => {
    await withClient(repository(), [], async (client) => {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        'search_reflections',
        'search_lessons',
        'read_playbook',
      ]);
      const found = await client.callTool({ name: 'search_reflections', arguments: { words: 'parser' } });
      expect(JSON.parse(textOf(found))).toMatchObject({ reflections: [{ loop: 'ralph-sample' }] });
      expect((await client.listResources()).resources).toHaveLength(3);
      expect(
        (await client.readResource({ uri: 'ralph://reflections/ralph-sample/1' })).contents,
      ).toHaveLength(1);
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['recall', 'retrospect']);
      const { messages } = await client.getPrompt({ name: 'recall', arguments: { task: 'Fix add' } });
      expect(JSON.stringify(messages)).toContain('Fix add');
    });
  });

  it('runs the checks with --allow-evaluate and leaves the tree unchanged', async () => {
    const root = repository();
    const before = fingerprintOf(root);
    await withClient(root, ['--allow-evaluate'], async (client) => {
      const messages: unknown[] = [];
      const onprogress = ({ message }: { message?: string }) => messages.push(message);
      const evaluate = () =>
        client.callTool({ name: 'evaluate' }, undefined, { timeout: 50_000, onprogress });
      let result = await evaluate();
      // The client drops a progress message that it reads together with the result.
      for (let more = 0; more < 4 && messages.length === 0; more++) result = await evaluate();
      expect(messages).toEqual(['tests: fail']);
      expect(JSON.parse(textOf(result))).toMatchObject({
        passed: false,
        checks: [{ name: 'tests', status: 'fail' }],
        failures: [{ check: 'tests', file: expect.stringContaining('add.test.js') }, {}],
      });
    });
    expect(fingerprintOf(root)).toBe(before);
  });

  it('finds the same lessons in the same order as ralph lessons search', async () => {
    const root = repository();
    for (const [text, ...flags] of [
      ['Prices are rounded last, in cents', '--file', 'src/price.js'],
      ['parsePrice takes cents and gives euros', '--type', 'pitfall', '--file', 'src/parse.js'],
      ['Run the tests with `npm test`', '--type', 'command'],
      ['Rounding, rounding and rounding of prices is src/round.js alone', '--file', 'src/round.js'],
      ['A price of nothing is no price', '--type', 'pitfall'],
    ])
      await ralph(root, ['lessons', 'add', text!, ...flags]);
    await ralph(root, ['lessons', 'add', 'Run the tests with `pnpm test`', '--type', 'command']);
    const cases: [words: string, filters: { type?: string; status?: string; file?: string }][] = [
      ...[
        'price',
        'prices round',
        'cents',
        'src/round.js',
        'parse price',
        'test',
        'pitfall',
        'zebra',
        '',
      ].map((words): [string, object] => [words, {}]),
      ['price', { type: 'pitfall' }],
      ['price', { status: 'active' }],
      ['rounded', { file: './src/price.js' }],
      ['', { file: '*.js' }],
    ];
    await withClient(root, [], async (client) => {
      for (const [words, filters] of cases) {
        const flags = Object.entries(filters).flatMap(([name, value]) => [`--${name}`, value]);
        const printed = await ralph(root, ['lessons', 'search', words, ...flags, '--format', 'json']);
        const args = { ...(words !== '' && { words }), ...filters, limit: 50 };
        const served = JSON.parse(
          textOf(await client.callTool({ name: 'search_lessons', arguments: args })),
        ) as { lessons: { id: string }[] };
        const ids = (JSON.parse(printed.stdout) as { id: string }[]).map(({ id }) => id);
        expect([words, served.lessons.map(({ id }) => id)]).toEqual([words, ids]);
      }
    });
  });

  it('ends with its input, and writes only protocol messages to standard output', async () => {
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const input = [
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
      'no message',
      JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search_reflections' } }),
    ];
    const { exitCode, stdout, stderr } = await ralph(repository(), ['mcp'], {
      input: `${input.join('\n')}\n`,
    });
    expect(exitCode).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: object });
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(stderr).toContain('is not valid JSON');
  });

  it('exits 4 outside of a repository', async () => {
    expect((await ralph('/', ['mcp'])).exitCode).toBe(4);
  });
});
