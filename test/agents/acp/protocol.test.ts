import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reported, runAgent, SUM, workspace } from '../../support/acp/attempt.ts';
import { writeFiles } from '../../support/repositories.ts';

const ADDS = SUM.replace('-', '+');
const sumIn = (root: string): string => readFileSync(join(root, 'src/sum.js'), 'utf8');

beforeEach(() => void (process.env['AGENT_TEST_API_KEY'] = ''));
afterEach(() => void delete process.env['AGENT_TEST_API_KEY']);

describe('an agent with the protocol', () => {
  it('edits through ralph; its actions, messages and usage are recorded', async () => {
    const run = await runAgent('agent', 'edit-by-protocol');
    expect(sumIn(run.root)).toBe(ADDS);
    expect(readFileSync(join(run.root, 'docs/deep/new.md'), 'utf8')).toBe('a\nb\n');
    expect(run.trajectory).toMatchObject({
      actor: 'acp',
      outcome: 'claimed_done',
      message: 'Now it adds.',
      rationale: 'I look at it.\nNow it adds.',
      usage: { input_tokens: 1100, output_tokens: 20, cached_input_tokens: 900, cost_usd: 0.25 },
    });
    expect(run.trajectory.fatal).toBeUndefined();
    expect(run.trajectory.actions).toEqual([
      {
        type: 'code_modification',
        description: 'Edit src/sum.js',
        file_path: 'src/sum.js',
        changes: { additions: 1, deletions: 1 },
      },
      {
        type: 'file_creation',
        description: 'Wrote docs/deep/new.md',
        file_path: 'docs/deep/new.md',
        changes: { additions: 2, deletions: 0 },
      },
    ]);
    expect(run.events.flatMap((event) => (event.type === 'action' ? [event.action] : []))).toEqual(
      run.trajectory.actions,
    );
    expect(run.events.flatMap((event) => (event.type === 'model_text' ? [event.text] : []))).toEqual([
      'I look at it.',
      'Now it ',
      'adds.',
    ]);
    expect(run.survivors).toEqual([]);
  });

  it('edits by itself, between stray lines and unknown updates', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const run = await runAgent('agent', 'edit-itself');
    expect(sumIn(run.root)).toBe(ADDS);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    expect(run.trajectory).toMatchObject({
      outcome: 'claimed_done',
      message: 'Done.',
      strategy: expect.stringContaining('test/model') as string,
      usage: { input_tokens: 70, output_tokens: 7, cached_input_tokens: 0, cost_usd: null },
    });
    expect(run.trajectory.actions).toEqual([
      {
        type: 'code_modification',
        description: 'Edit',
        file_path: 'src/sum.js',
        changes: { additions: 1, deletions: 1 },
      },
      { type: 'test_execution', description: 'npm test', command: 'npm test' },
      { type: 'command_execution', description: 'ls, which failed', command: 'ls -l' },
    ]);
    expect(run.trajectory.rationale).not.toContain('secret thought');
    expect(run.progress).toContain('mend the sum');
  });

  it("gets the task, the loop and the attempt, and the user's keys without the variables of vitest", async () => {
    process.env['AGENT_TEST_API_KEY'] = 'key-of-the-user';
    const { report } = await runAgent('agent', 'edit-itself');
    expect(report).toContainEqual({
      prompt: expect.stringContaining('make sum add') as string,
      loopId: 'ralph-test',
      iteration: '2',
    });
    expect(report).toContainEqual({ key: 'key-of-the-user' });
    expect(process.env['VITEST']).toBeDefined();
    expect(report.filter(({ foreign }) => foreign !== undefined)).toEqual([]);
  });

  it('has a cost by its tokens if it names its model but reports no cost', async () => {
    const prices = { 'test/model': { input: 10, output: 100 } };
    const { trajectory } = await runAgent('agent', 'edit-itself', { prices });
    expect(trajectory.usage.cost_usd).toBeCloseTo((70 * 10 + 7 * 100) / 1e6, 12);
  });

  it.each([
    ['end_turn', 'claimed_done'],
    ['max_tokens', 'gave_up'],
    ['max_turn_requests', 'gave_up'],
    ['refusal', 'gave_up'],
    ['cancelled', 'timed_out'],
  ])('that stops with %s has the outcome %s', async (stopReason, outcome) => {
    const { trajectory } = await runAgent('agent', 'stops', { args: [stopReason] });
    expect(trajectory).toMatchObject({ outcome, usage: { input_tokens: 0, cost_usd: 0 } });
    expect(trajectory.message).not.toBe('');
  });

  it('with a model that fails before the agent did anything is not asked again, with the reason', async () => {
    const { trajectory } = await runAgent('agent', 'fails');
    expect(trajectory).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('the model is overloaded') as string,
      fatal: { message: expect.stringContaining('the model is overloaded') as string },
    });
  });

  it('with a wrong key ends the loop', async () => {
    const { trajectory } = await runAgent('agent', 'bad-key');
    expect(trajectory.fatal).toMatchObject({
      message: expect.stringContaining('Incorrect API key') as string,
      hint: expect.stringContaining('API key') as string,
    });
  });

  it('that requires signing in is signed in with a key of the environment', async () => {
    process.env['AGENT_TEST_API_KEY'] = 'key-of-the-user';
    const { trajectory, report } = await runAgent('agent', 'sign-in');
    expect(report).toContainEqual({ signedInBy: 'key' });
    expect(trajectory.outcome).toBe('claimed_done');
  });

  it('that requires an interactive sign-in ends the loop, with a remedy', async () => {
    const { trajectory, report } = await runAgent('agent', 'sign-in');
    expect(trajectory.fatal).toMatchObject({
      message: expect.stringContaining('requires signing in') as string,
      hint: expect.stringContaining('Browser, Key') as string,
    });
    expect(report.filter(({ signedInBy }) => signedInBy !== undefined)).toEqual([]);
  });

  it('with another version of the protocol ends the loop', async () => {
    const { trajectory } = await runAgent('agent', 'old');
    expect(trajectory.fatal?.message).toContain('version 0');
  });
});

describe('permissions', () => {
  it('are granted once, only within the workspace', async () => {
    const root = workspace();
    writeFiles(root, { '../outside/secret.txt': 'secret' });
    symlinkSync('../outside', join(root, 'link'));
    const run = await runAgent('agent', 'ask-permission', { root });
    const answers = run.report.flatMap(({ asked, answer }) =>
      asked === undefined ? [] : [[asked, (answer as { outcome: { optionId?: string } }).outcome.optionId]],
    );
    expect(Object.fromEntries(answers)).toEqual({
      inside: 'once',
      outside: 'no',
      'outside again': 'no',
      'outside by input': 'no',
      git: 'no',
      aiwg: 'no',
      'through a link': 'no',
      command: 'once',
      'command on git': 'no',
      'always only': undefined,
    });
    expect(run.events.filter(({ type }) => type === 'warning')).toHaveLength(6);
  });
});

describe('terminals of an agent', () => {
  it('run in the workspace with bounded output, without keys, until the end of the attempt', async () => {
    process.env['AGENT_TEST_API_KEY'] = 'key-of-the-user';
    const run = await runAgent('agent', 'terminals');
    expect(reported(run, 'exit')).toMatchObject({ exitCode: 3 });
    const output = reported(run, 'output') as { output: string };
    expect(output).toMatchObject({ truncated: false, exitStatus: { exitCode: 3 } });
    expect(output.output.split('\n').sort()).toEqual(['', 'one', 'two']);
    expect(reported(run, 'released')).toMatchObject({ code: -32002 });
    expect(reported(run, 'env')).toMatchObject({ output: `hello ${join(run.root, 'src')} none\n` });
    const flood = reported(run, 'flood') as { output: string; truncated: boolean };
    expect(flood.truncated).toBe(true);
    expect(Buffer.byteLength(flood.output)).toBeLessThanOrEqual(101);
    expect(flood.output).toMatch(/^\n?(é\n)+END\n$/);
    expect(reported(run, 'killed')).toMatchObject({ exitCode: null });
    expect(reported(run, 'elsewhere')).toMatchObject({ error: expect.stringContaining('outside') as string });
    expect(run.report.filter(({ terminalTag }) => terminalTag !== undefined)).toHaveLength(1);
    expect(run.survivors).toEqual([]);
    expect(run.trajectory.actions).toContainEqual({
      type: 'command_execution',
      description: 'echo one; echo two >&2; exit 3: exit code 3',
      command: 'echo one; echo two >&2; exit 3',
    });
  });
});
