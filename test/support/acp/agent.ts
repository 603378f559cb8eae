/** A coding agent for tests: a program on the agent's side of the protocol. Arguments: a behaviour, a report file. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type StopReason,
} from '@agentclientprotocol/sdk';

interface Turn {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly cwd: string;
  readonly prompt: string;
  /** Aborts when the client cancels the turn. */
  readonly cancelled: AbortSignal;
  update(update: object): Promise<void>;
  say(text: string): Promise<void>;
}

interface Answer {
  readonly stopReason: StopReason;
  readonly [more: string]: unknown;
}

const [behaviour = '', reportFile = ''] = process.argv.slice(2);
const DONE: Answer = { stopReason: 'end_turn' };
const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;

function report(fields: object): void {
  appendFileSync(reportFile, `${JSON.stringify(fields)}\n`);
}

/** What a call gave, or the error that it was answered with. */
async function tried(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return { error: (error as Error).message, code: (error as { code?: number }).code };
  }
}

const forever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1000));

/** A child in a session of its own, which killing the process group does not end. */
function startStray(): void {
  const child = execa('sleep', ['300'], { detached: true, stdio: 'inherit', reject: false });
  report({ stray: child.pid });
}

const PRODUCT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { product } from '../src/product.js';
test('multiplies', () => assert.equal(product(3, 4), 12));
test('multiplies by one', () => assert.equal(product(3, 1), 3));
`;

const BEHAVIOURS: Readonly<Record<string, (turn: Turn) => Promise<Answer>>> = {
  async 'edit-by-protocol'({ client, sessionId, cwd, update, say }) {
    const path = join(cwd, 'src/sum.js');
    await say('I look at it.');
    const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path });
    await update({
      sessionUpdate: 'tool_call',
      toolCallId: 'e1',
      title: 'Edit src/sum.js',
      kind: 'edit',
      locations: [{ path }],
    });
    await client.request(methods.client.fs.writeTextFile, {
      sessionId,
      path,
      content: content.replace('-', '+'),
    });
    await update({ sessionUpdate: 'tool_call_update', toolCallId: 'e1', status: 'completed' });
    await client.request(methods.client.fs.writeTextFile, {
      sessionId,
      path: join(cwd, 'docs/deep/new.md'),
      content: 'a\nb\n',
    });
    await update({
      sessionUpdate: 'usage_update',
      used: 10,
      size: 100,
      cost: { amount: 0.25, currency: 'USD' },
    });
    await say('Now it ');
    await say('adds.');
    const usage = {
      totalTokens: 1120,
      inputTokens: 100,
      outputTokens: 20,
      cachedReadTokens: 900,
      cachedWriteTokens: 100,
    };
    return { ...DONE, usage };
  },
  async 'edit-itself'({ cwd, update, say, prompt }) {
    report({ prompt, loopId: process.env['RALPH_LOOP_ID'], iteration: process.env['RALPH_ITERATION'] });
    report({ key: process.env['AGENT_TEST_API_KEY'], foreign: process.env['VITEST'] });
    const path = join(cwd, 'src/sum.js');
    const before = readFileSync(path, 'utf8');
    const after = before.replace('-', '+');
    await update({
      sessionUpdate: 'tool_call',
      toolCallId: 'e1',
      title: 'Edit',
      kind: 'edit',
      status: 'pending',
    });
    await update({
      sessionUpdate: 'plan',
      entries: [{ content: 'mend the sum', priority: 'high', status: 'in_progress' }],
    });
    await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'secret thought' } });
    await update({ sessionUpdate: 'something_new', content: { a: 1 } });
    writeFileSync(path, after);
    const content = [{ type: 'diff', path, oldText: before, newText: after }];
    await update({ sessionUpdate: 'tool_call_update', toolCallId: 'e1', status: 'completed', content });
    await update({
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'npm test',
      kind: 'execute',
      status: 'completed',
      rawInput: { command: 'npm test' },
    });
    await update({
      sessionUpdate: 'tool_call',
      toolCallId: 'c1',
      title: 'ls',
      kind: 'execute',
      status: 'failed',
      rawInput: { command: ['ls', '-l'] },
    });
    await say('Done.');
    return { ...DONE, _meta: { quota: { token_count: { input_tokens: 70, output_tokens: 7 } } } };
  },
  // In the session for tests it does the task as well, which must be undone.
  async 'tests-first'({ cwd, prompt, say }) {
    const isWriting = prompt.includes('You write acceptance tests');
    report({ isWriting, hasProduct: existsSync(join(cwd, 'src/product.js')) });
    const conduct = process.argv[4];
    const body = isWriting || conduct === 'real' ? 'a * b' : '0';
    if (conduct !== 'idle' || isWriting)
      writeFileSync(join(cwd, 'src/product.js'), `export const product = (a, b) => ${body};\n`);
    if (!isWriting) return DONE;
    writeFileSync(join(cwd, 'test/product.test.js'), PRODUCT_TEST);
    await say('{"criteria": [{"text": "product multiplies", "tests": ["multiplies"], "covered_by": []}]}');
    return DONE;
  },
  async 'ask-permission'({ client, sessionId, cwd }) {
    const ask = async (
      name: string,
      toolCall: object,
      options: readonly object[] = OPTIONS,
    ): Promise<void> => {
      const params = { sessionId, options, toolCall: { toolCallId: name, title: name, ...toolCall } };
      report({
        asked: name,
        answer: await client.request(methods.client.session.requestPermission, params as never),
      });
    };
    await ask('inside', { kind: 'edit', locations: [{ path: join(cwd, 'src/sum.js') }] });
    await ask('outside', { kind: 'edit', locations: [{ path: '/etc/passwd' }] });
    await ask('outside again', { kind: 'read', locations: [{ path: '/etc/passwd' }] });
    await ask('outside by input', { kind: 'edit', rawInput: { filePath: '../../elsewhere.js' } });
    await ask('git', { kind: 'edit', locations: [{ path: join(cwd, '.git/config') }] });
    await ask('aiwg', { kind: 'edit', rawInput: { path: '.aiwg/ralph/reflections/x.json' } });
    await ask('through a link', { kind: 'edit', locations: [{ path: join(cwd, 'link/secret.txt') }] });
    await ask('command', {
      kind: 'execute',
      rawInput: { command: 'grep -r x . --exclude-dir=.git && npm test' },
    });
    await ask('command on git', { kind: 'execute', rawInput: { command: 'npm test; rm -rf .git' } });
    await ask('always only', { kind: 'edit', locations: [{ path: join(cwd, 'src/sum.js') }] }, [OPTIONS[0]]);
    return DONE;
  },
  async 'read-around'({ client, sessionId, cwd }) {
    const read = (path: string, more: object = {}): Promise<unknown> =>
      tried(client.request(methods.client.fs.readTextFile, { sessionId, path, ...more }));
    const write = (path: string): Promise<unknown> =>
      tried(client.request(methods.client.fs.writeTextFile, { sessionId, path, content: 'overwritten' }));
    report({ direct: readFileSync(join(cwd, 'link/secret.txt'), 'utf8') });
    report({ name: 'link', got: await read(join(cwd, 'link/secret.txt')) });
    report({ name: 'file link', got: await read(join(cwd, 'file-link')) });
    report({ name: 'parent', got: await read(join(cwd, '../outside/secret.txt')) });
    report({ name: 'absolute', got: await read('/etc/hostname') });
    report({ name: 'git', got: await read(join(cwd, '.git/HEAD')) });
    report({ name: 'missing', got: await read(join(cwd, 'src/none.js')) });
    report({ name: 'folder', got: await read(join(cwd, 'src')) });
    report({ name: 'package', got: await read(join(cwd, 'node_modules/dep/index.d.ts')) });
    report({ name: 'lines', got: await read(join(cwd, 'lines.txt'), { line: 2, limit: 2 }) });
    report({ name: 'from line', got: await read(join(cwd, 'lines.txt'), { line: 4 }) });
    report({ name: 'write link', got: await write(join(cwd, 'link/secret.txt')) });
    report({ name: 'write file link', got: await write(join(cwd, 'file-link')) });
    report({ name: 'write dangling', got: await write(join(cwd, 'dangling')) });
    report({ name: 'write package', got: await write(join(cwd, 'node_modules/dep/index.d.ts')) });
    report({ name: 'write git', got: await write(join(cwd, '.git/config')) });
    report({ name: 'write inside', got: await write(join(cwd, 'src/inside.txt')) });
    return DONE;
  },
  async terminals({ client, sessionId, cwd }) {
    const run = (command: string, more: object = {}): Promise<{ terminalId: string }> =>
      client.request(methods.client.terminal.create, { sessionId, command, ...more });
    const at = (terminalId: string): { sessionId: string; terminalId: string } => ({ sessionId, terminalId });
    const first = await run('echo one; echo two >&2; exit 3');
    report({
      name: 'exit',
      got: await client.request(methods.client.terminal.waitForExit, at(first.terminalId)),
    });
    report({
      name: 'output',
      got: await client.request(methods.client.terminal.output, at(first.terminalId)),
    });
    await client.request(methods.client.terminal.release, at(first.terminalId));
    report({
      name: 'released',
      got: await tried(client.request(methods.client.terminal.output, at(first.terminalId))),
    });
    const env = [{ name: 'GREETING', value: 'hello' }];
    const second = await run('sh', {
      args: ['-c', 'echo "$GREETING $PWD ${AGENT_TEST_API_KEY:-none}"'],
      env,
      cwd: join(cwd, 'src'),
    });
    await client.request(methods.client.terminal.waitForExit, at(second.terminalId));
    report({ name: 'env', got: await client.request(methods.client.terminal.output, at(second.terminalId)) });
    const flood = await run('yes é | head -n 1000000; echo END', { outputByteLimit: 101 });
    await client.request(methods.client.terminal.waitForExit, at(flood.terminalId));
    report({
      name: 'flood',
      got: await client.request(methods.client.terminal.output, at(flood.terminalId)),
    });
    const killed = await run('echo started; sleep 300');
    await client.request(methods.client.terminal.kill, at(killed.terminalId));
    report({
      name: 'killed',
      got: await client.request(methods.client.terminal.waitForExit, at(killed.terminalId)),
    });
    report({ name: 'elsewhere', got: await tried(run('pwd', { cwd: '/' })) });
    const stray = await run(
      'setsid sh -c "echo stray $$; exec sleep 300" & sleep 0.2; echo "tag $RALPH_PROCESS_TAG"; sleep 300',
    );
    for (let output = ''; !output.includes('tag ');) {
      ({ output } = await client.request(methods.client.terminal.output, at(stray.terminalId)));
      if (output.includes('tag ')) report({ terminalTag: /tag (\S+)/.exec(output)![1] });
    }
    return DONE;
  },
  silent: () => forever(),
  async chatter({ update, cancelled }) {
    for (let i = 0; ; i++) {
      await update({
        sessionUpdate: 'tool_call',
        toolCallId: `call-${i}`,
        title: `call ${i} ${'x'.repeat(1000)}`,
        status: 'completed',
      });
      if (cancelled.aborted && i % 1000 === 0) report({ cancelled: true });
    }
  },
  async dies({ cwd, say }) {
    startStray();
    writeFileSync(join(cwd, 'src/sum.js'), 'half an edit\n');
    await say('I begin.');
    process.stderr.write('out of luck\n');
    process.kill(process.pid, 'SIGKILL');
    return forever();
  },
  'cancel-obeyed': ({ cancelled }) =>
    new Promise((resolve) => {
      cancelled.addEventListener('abort', () => {
        report({ cancelled: true });
        resolve({ stopReason: 'cancelled' });
      });
    }),
  'cancel-ignored'() {
    startStray();
    process.on('SIGTERM', () => report({ terminated: true }));
    process.stdin.on('end', () => report({ inputEnded: true }));
    return forever();
  },
  async huge({ say, cwd }) {
    await say('x'.repeat(50 * 1024 * 1024));
    writeFileSync(join(cwd, 'src/sum.js'), 'after the huge one\n');
    await say('Still here.');
    return DONE;
  },
  async fails() {
    throw new RequestError(-32603, 'Internal error', { details: 'the model is overloaded' });
  },
  async 'bad-key'() {
    throw new RequestError(-32603, 'Internal error', { details: '401 Incorrect API key provided: sk-x.' });
  },
  async stops() {
    return { stopReason: process.argv[4] as StopReason };
  },
};

process.stdout.write(behaviour === 'edit-itself' ? 'Welcome to the agent!\n{"level":"info"}\n[1,2]\n' : '');
report({ tag: process.env['RALPH_PROCESS_TAG'] });
const cancel = new AbortController();
let cwd = '';
let isSignedIn = behaviour !== 'sign-in';

agent({ name: 'test' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: behaviour === 'old' ? 0 : PROTOCOL_VERSION,
    agentCapabilities: {},
    authMethods: [
      { id: 'browser', name: 'Browser' },
      { id: 'key', name: 'Key', description: 'Uses AGENT_TEST_API_KEY.' },
    ],
  }))
  .onRequest(methods.agent.authenticate, ({ params }) => {
    report({ signedInBy: params.methodId });
    isSignedIn = true;
    return {};
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (!isSignedIn) throw RequestError.authRequired();
    ({ cwd } = params);
    return { sessionId: 's1', models: { currentModelId: 'test/model', availableModels: [] } } as {
      sessionId: string;
    };
  })
  .onNotification(methods.agent.session.cancel, () => cancel.abort())
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    const { sessionId } = params;
    const update = (value: object): Promise<void> =>
      client.notify(methods.client.session.update, { sessionId, update: value as never });
    const first = params.prompt[0];
    const turn: Turn = {
      client,
      sessionId,
      cwd,
      prompt: first?.type === 'text' ? first.text : '',
      cancelled: cancel.signal,
      update,
      say: (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
    };
    return (BEHAVIOURS[behaviour] ?? BEHAVIOURS['edit-itself']!)(turn);
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
