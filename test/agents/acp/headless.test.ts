import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommandLine, type AgentRun, type RunOptions } from '../../support/acp/attempt.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const PROGRAM = join(import.meta.dirname, '../../support/acp/headless-agent.ts');
const path = process.env['PATH'];
afterEach(() => void (process.env['PATH'] = path));

interface Headless extends RunOptions {
  readonly lines: readonly (object | string)[];
  readonly exitCode?: string;
  /** More programs on PATH: shell scripts by name. */
  readonly others?: Readonly<Record<string, string>>;
}

/** Runs a program with the agent's name that prints these lines. */
async function runHeadless(
  agent: string,
  { lines, exitCode = '0', others = {}, ...options }: Headless,
): Promise<AgentRun> {
  const folder = temporaryFolder();
  const [linesFile, reportFile] = [join(folder, 'lines.jsonl'), join(folder, 'report.jsonl')];
  writeFileSync(
    linesFile,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  const call = [process.execPath, PROGRAM, linesFile, reportFile, exitCode]
    .map((word) => `'${word}'`)
    .join(' ');
  const refusal = '[ "$1" = --acp ] && exit 1';
  writeFileSync(join(folder, agent), `#!/bin/sh\n${refusal}\nexec ${call} "$@"\n`);
  chmodSync(join(folder, agent), 0o755);
  for (const [name, script] of Object.entries(others))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env['PATH'] = `${folder}:/usr/bin:/bin`;
  return runCommandLine(agent, { ...options, reportFile });
}

const CLAUDE = [
  { type: 'system', subtype: 'init', cwd: '/w', tools: ['Bash'] },
  {
    type: 'assistant',
    message: {
      content: [
        { type: 'text', text: 'I look at it.' },
        {
          type: 'tool_use',
          id: 't1',
          name: 'Edit',
          input: { file_path: 'src/sum.js', old_string: 'a', new_string: 'b\nc' },
        },
      ],
    },
  },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] } },
  {
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm test' } }] },
  },
  { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't2', is_error: true }] } },
  { type: 'assistant', message: { content: [{ type: 'text', text: 'It adds.' }] } },
];
const CLAUDE_RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'It adds.',
  total_cost_usd: 0.5,
  usage: {
    input_tokens: 10,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 900,
    output_tokens: 30,
  },
};

describe('claude in its headless mode', () => {
  it('gets the prompt on stdin; its actions, messages and usage are recorded', async () => {
    const run = await runHeadless('claude', { lines: [...CLAUDE, CLAUDE_RESULT] });
    expect(run.trajectory).toMatchObject({
      actor: 'acp',
      outcome: 'claimed_done',
      message: 'It adds.',
      usage: { input_tokens: 1010, output_tokens: 30, cached_input_tokens: 900, cost_usd: 0.5 },
    });
    expect(run.trajectory.actions).toEqual([
      {
        type: 'code_modification',
        description: 'Edit src/sum.js',
        file_path: 'src/sum.js',
        changes: { additions: 2, deletions: 1 },
      },
      { type: 'test_execution', description: 'Bash npm test, which failed', command: 'npm test' },
    ]);
    expect(run.report[0]).toMatchObject({
      prompt: expect.stringContaining('make sum add') as string,
      args: expect.arrayContaining(['--print', 'stream-json']) as string[],
    });
    expect(readFileSync(join(run.root, 'src/sum.js'), 'utf8')).toBe('edited\n');
    expect(run.survivors).toEqual([]);
  });

  it('takes over from a protocol program that fails before it has the task, with a warning', async () => {
    const others = { 'claude-agent-acp': 'echo "not as root" >&2; exit 1' };
    const { trajectory, events } = await runHeadless('claude', { lines: [...CLAUDE, CLAUDE_RESULT], others });
    expect(trajectory).toMatchObject({ outcome: 'claimed_done', message: 'It adds.' });
    expect(trajectory.fatal).toBeUndefined();
    expect(events).toContainEqual({
      type: 'warning',
      text: expect.stringMatching(
        /^claude cannot be used by its protocol, so its headless mode is used: /,
      ) as string,
    });
  });

  it('is told with the words of the protocol if the headless mode fails too', async () => {
    const others = { 'claude-agent-acp': 'echo "not as root" >&2; exit 1' };
    const lines = [{ ...CLAUDE_RESULT, is_error: true, result: 'Not logged in' }];
    const { trajectory } = await runHeadless('claude', { lines, others, exitCode: '1' });
    expect(trajectory).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/not as root[^]*In its headless mode: [^]*Not logged in/) as string,
      fatal: { message: expect.stringContaining('not as root') as string },
    });
  });

  it('has an unknown cost if it reports tokens and a cost of zero', async () => {
    const lines = [{ ...CLAUDE_RESULT, total_cost_usd: 0 }];
    const { usage } = (await runHeadless('claude', { lines })).trajectory;
    expect(usage).toMatchObject({ input_tokens: 1010, cost_usd: null });
  });

  it('has given up at its turn limit', async () => {
    const lines = [{ ...CLAUDE_RESULT, subtype: 'error_max_turns', is_error: true }];
    expect((await runHeadless('claude', { lines })).trajectory.outcome).toBe('gave_up');
  });

  it('has failed if it reports an error, with the reason', async () => {
    const lines = [{ ...CLAUDE_RESULT, is_error: true, result: 'Invalid API key' }];
    const { trajectory } = await runHeadless('claude', { lines, exitCode: '1' });
    expect(trajectory).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('Invalid API key') as string,
      fatal: { hint: expect.stringContaining('API key') as string },
    });
  });
});

describe('codex in its headless mode', () => {
  const WORK = [
    { type: 'thread.started', thread_id: 'x' },
    {
      type: 'item.started',
      item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'in_progress' },
    },
    {
      type: 'item.completed',
      item: { id: 'i1', type: 'command_execution', command: 'ls', exit_code: 2, status: 'failed' },
    },
    {
      type: 'item.completed',
      item: { id: 'i2', type: 'file_change', changes: [{ path: 'src/sum.js', kind: 'update' }] },
    },
    { type: 'item.completed', item: { id: 'i3', type: 'reasoning', text: 'hm' } },
    { type: 'item.completed', item: { id: 'i4', type: 'agent_message', text: 'It adds.' } },
  ];

  it.each([
    ['no usage', []],
    ['impossible usage', [{ type: 'turn.completed', usage: { input_tokens: -5, output_tokens: 1e300 } }]],
  ])('has no known cost if it worked and reported %s', async (_what, lines) => {
    const { trajectory } = await runHeadless('codex', { lines: [...WORK, ...lines] });
    expect(trajectory.actions).not.toEqual([]);
    expect(trajectory.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, cost_usd: null });
  });

  it('has its actions and usage recorded; input includes cached input', async () => {
    const usage = { input_tokens: 1000, cached_input_tokens: 800, output_tokens: 20 };
    const run = await runHeadless('codex', { lines: [...WORK, { type: 'turn.completed', usage }] });
    expect(run.trajectory).toMatchObject({
      outcome: 'claimed_done',
      message: 'It adds.',
      usage: { input_tokens: 1000, output_tokens: 20, cached_input_tokens: 800, cost_usd: null },
    });
    expect(run.trajectory.actions).toEqual([
      { type: 'command_execution', description: 'ls, which failed', command: 'ls' },
      { type: 'code_modification', description: 'Changed src/sum.js', file_path: 'src/sum.js' },
    ]);
    expect(run.report[0]).toMatchObject({
      args: expect.arrayContaining(['exec', '--json', '-']) as string[],
    });
  });

  it('is stopped if it only repeats what it waits for, which is told', async () => {
    const lines = [...WORK, { type: 'error', message: 'Reconnecting... waiting for network' }];
    const { trajectory } = await runHeadless('codex', {
      lines,
      exitCode: 'never',
      silenceMs: 1500,
      startMs: 20_000,
    });
    expect(trajectory).toMatchObject({
      outcome: 'timed_out',
      message: expect.stringContaining(
        'it did nothing for 1.5 s and said: Reconnecting... waiting for network',
      ) as string,
    });
  });

  it('has failed if its turn failed', async () => {
    const lines = [...WORK, { type: 'turn.failed', error: { message: 'stream disconnected' } }];
    const { trajectory } = await runHeadless('codex', { lines, exitCode: '1' });
    expect(trajectory).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('stream disconnected') as string,
    });
  });
});

describe('pi in its headless mode', () => {
  const message = (content: object[], more: object = {}): object => ({
    type: 'message_end',
    message: {
      role: 'assistant',
      content,
      stopReason: 'stop',
      ...more,
      usage: { input: 10, output: 2, cacheRead: 5, cacheWrite: 1, cost: { total: 0.01 } },
    },
  });

  it('has its actions recorded and the usage of its calls added up', async () => {
    const lines = [
      message([{ type: 'text', text: 'I edit.' }]),
      { type: 'tool_execution_start', toolCallId: 'a', toolName: 'edit', args: { path: 'src/sum.js' } },
      { type: 'tool_execution_end', toolCallId: 'a', toolName: 'edit', isError: false },
      message([{ type: 'text', text: 'It adds.' }]),
    ];
    const { trajectory } = await runHeadless('pi', { lines });
    expect(trajectory).toMatchObject({
      outcome: 'claimed_done',
      message: 'It adds.',
      usage: { input_tokens: 32, output_tokens: 4, cached_input_tokens: 10, cost_usd: 0.02 },
      actions: [{ type: 'code_modification', description: 'edit src/sum.js', file_path: 'src/sum.js' }],
    });
  });

  it('has failed if its last model call failed, not an earlier one', async () => {
    const broken = message([], { stopReason: 'error', errorMessage: 'overloaded' });
    const failed = await runHeadless('pi', { lines: [broken] });
    expect(failed.trajectory).toMatchObject({ outcome: 'failed' });
    const recovered = await runHeadless('pi', { lines: [broken, message([{ type: 'text', text: 'ok' }])] });
    expect(recovered.trajectory).toMatchObject({ outcome: 'claimed_done', message: 'ok' });
  });
});

describe('any agent in its headless mode', () => {
  it('has failed if it prints nothing known and exits with an error', async () => {
    const lines = ['not json', 'null', '[]', '{"type":"item.completed"}', '{"type":"turn.failed","error":7'];
    const { trajectory } = await runHeadless('codex', { lines, exitCode: '3' });
    expect(trajectory).toMatchObject({ outcome: 'failed', actions: [], usage: { cost_usd: 0 } });
    expect(trajectory.message).toContain('exit code 3');
    expect(trajectory.message).toContain('a word on stderr');
  });

  it('is stopped if it is silent', async () => {
    const run = await runHeadless('claude', {
      lines: CLAUDE,
      exitCode: 'never',
      silenceMs: 1500,
      startMs: 20_000,
    });
    expect(run.trajectory).toMatchObject({
      outcome: 'timed_out',
      message: expect.stringContaining('sent nothing') as string,
    });
    expect(run.trajectory.actions).toHaveLength(2);
    expect(run.survivors).toEqual([]);
  });

  it('is stopped with the loop', async () => {
    const signal = AbortSignal.timeout(1500);
    const run = await runHeadless('pi', { lines: [], exitCode: 'never', signal });
    expect(run.trajectory.outcome).toBe('timed_out');
    expect(run.survivors).toEqual([]);
  });
});

describe('cline in its headless mode', () => {
  const event = (fields: object): object => ({ type: 'agent_event', event: fields });
  const USAGE = { inputTokens: 6508, outputTokens: 24, cacheReadTokens: 0, totalCost: 0 };
  const WORK = [
    event({ type: 'content_end', contentType: 'text', text: 'I run it.' }),
    event({
      type: 'content_start',
      contentType: 'tool',
      toolName: 'run_commands',
      toolCallId: 'c1',
      input: { commands: ['npm test'] },
    }),
    event({ type: 'content_end', contentType: 'tool', toolCallId: 'c1', output: [{ success: false }] }),
    event({ type: 'content_end', contentType: 'text', text: 'All is done now.' }),
  ];

  it('gets the prompt as its last argument when its protocol asks for a sign-in', async () => {
    const lines = [...WORK, { type: 'run_result', finishReason: 'completed', aggregateUsage: USAGE }];
    const { trajectory, report } = await runHeadless('cline', { lines });
    expect(trajectory).toMatchObject({
      outcome: 'claimed_done',
      message: 'All is done now.',
      actions: [{ type: 'test_execution', command: 'npm test' }],
      usage: { input_tokens: 6508, output_tokens: 24, cost_usd: null },
    });
    const { args } = report.findLast((line) => 'args' in line) as unknown as { args: string[] };
    expect(args.slice(0, 3)).toEqual(['--json', '--auto-approve', 'true']);
    expect(args.at(-1)).toContain('make sum add');
  });

  it('has failed with the reason of its last line', async () => {
    const lines = [{ type: 'run_result', finishReason: 'error', text: 'Cannot connect', usage: {} }];
    const { trajectory } = await runHeadless('cline', { lines });
    expect(trajectory).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('Cannot connect') as string,
    });
  });
});

describe('opencode', () => {
  const AGENT = join(import.meta.dirname, '../../support/acp/agent.ts');
  const SESSION = {
    info: { tokens: { input: 2800, output: 30, reasoning: 5, cache: { read: 200, write: 0 } } },
  };

  it.each([
    [
      'the tokens of all calls, from its export',
      JSON.stringify(SESSION),
      { input_tokens: 3000, output_tokens: 35 },
    ],
    ['those that its protocol reports, if it exports nothing', 'No session', { output_tokens: 20 }],
  ])('has %s', async (_, text, usage) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'session.json'), text);
    const acp = `exec '${process.execPath}' '${AGENT}' edit-by-protocol '${join(folder, 'report.jsonl')}'`;
    const script = `#!/bin/sh\nif [ "$1" = export ]; then cat '${join(folder, 'session.json')}'; else ${acp}; fi\n`;
    writeFileSync(join(folder, 'opencode'), script, { mode: 0o755 });
    process.env['PATH'] = `${folder}:/usr/bin:/bin`;
    const run = await runCommandLine('opencode', { reportFile: join(folder, 'report.jsonl') });
    expect(run.trajectory.usage).toMatchObject({ ...usage, cost_usd: 0.25 });
  });
});
