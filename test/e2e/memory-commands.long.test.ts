import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/schema/generated.ts';
import { KEYS, modelFlags } from '../support/model-run.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import {
  commitAll,
  HONEST_FIX,
  NODE_TEST_FILES,
  QUICK_FILES,
  repositoryWith,
  temporaryFolder,
} from '../support/repositories.ts';
import { startWireServer, type WireServer } from '../support/wire/index.ts';

const TASK = 'Make the tests pass. Never edit package.json.';
/** Fails in the first attempt, repairs in the second. */
const SECOND_TRY = `if [ "$RALPH_ITERATION" = 1 ]; then echo '// a note' > src/note.js; else ${HONEST_FIX}; fi`;

let server: WireServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function withModel(wire: WireServer): string[] {
  const reflector = ['--reflector', 'llm', ...modelFlags(wire), '--memory-model'];
  return [TASK, '--actor', 'command', '--command', SECOND_TRY, '--fixers', 'off', ...reflector];
}

async function json(root: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr, exitCode } = await ralph(root, [...args, '--format', 'json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

let repairedOnce: Promise<string> | undefined;

/** A copy of a repository after a verified loop of two attempts. */
async function repaired(): Promise<string> {
  repairedOnce ??= repair();
  const root = temporaryFolder();
  cpSync(await repairedOnce, root, { recursive: true, preserveTimestamps: true });
  return root;
}

async function repair(): Promise<string> {
  const root = repositoryWith(NODE_TEST_FILES);
  const { verdict } = await ralphRun(root, [TASK, '--command', SECOND_TRY]);
  expect(verdict.verified).toBe(true);
  return root;
}

describe('long-term memory', () => {
  it('grows with a loop, and every command shows its part', async () => {
    const root = await repaired();
    expect(await json(root, 'memory', 'stats')).toMatchObject({ observations: { attempts: 2, passed: 1 } });
    expect(await json(root, 'memory', 'health')).toEqual({ healthy: true, findings: [] });
    expect(await json(root, 'insights', 'list')).toMatchObject({
      insights: [],
      attempts: 2,
      attempts_waiting: 2,
    });
    const lessons = (await ralph(root, ['lessons', 'list'])).stdout;
    expect(lessons).toContain('Never edit package.json.');
    expect(lessons).toContain('The tests check runs `node --test');

    expect(await json(root, 'insights', 'reflect')).toMatchObject({ status: 'ok' });
    const listed = (await ralph(root, ['insights', 'list'])).stdout;
    expect(listed).toMatch(/went away when `src\/add\.js` changed/);
    expect(listed).toMatch(/evidence: ralph-\S+ attempt 2$/m);

    expect(await json(root, 'playbook', 'consolidate', '--if-due')).toMatchObject({
      status: 'skipped',
      reason: 'cooldown',
    });
    expect(await json(root, 'playbook', 'consolidate')).toMatchObject({
      status: 'ok',
      stats: { version: 1 },
    });
    const shown = (await ralph(root, ['playbook', 'show'])).stdout;
    expect(shown).toContain('# Playbook');
    expect(shown).toBe(readFileSync(join(root, '.aiwg/ralph/memory/playbook.md'), 'utf8'));
    expect(await json(root, 'playbook', 'consolidate')).toMatchObject({ stats: { version: 2 } });
    expect(await json(root, 'playbook', 'rollback')).toEqual({ version: 3, from: 1 });
    const history = await json(root, 'playbook', 'history');
    expect(history.versions).toMatchObject([{ version: 3, current: true }, { version: 2 }, { version: 1 }]);
    expect(await json(root, 'playbook', 'show', '2')).toMatchObject({ version: 2 });
    expect(await json(root, 'memory', 'digest')).toMatchObject({ status: 'noop', reason: 'nothing_new' });
    expect(await json(root, 'memory', 'reindex')).toMatchObject({ by: 'index', damaged: 0 });
  });

  it('is archived by a reset, but only with --yes', async () => {
    const root = await repaired();
    const unsure = await ralph(root, ['memory', 'reset']);
    expect(unsure.exitCode).toBe(2);
    expect(unsure.stderr).toContain('ralph memory reset --yes');
    expect(await json(root, 'memory', 'stats')).toMatchObject({ observations: { attempts: 2 } });
    const { archive } = await json(root, 'memory', 'reset', '--yes');
    expect(await json(root, 'memory', 'stats')).toMatchObject({ observations: { attempts: 0 } });
    expect(readFileSync(join(root, String(archive), 'observations.jsonl'), 'utf8')).toContain(
      '"iteration":1',
    );
  });

  it('leaves forgotten lessons out of the playbook', async () => {
    const root = repositoryWith({ 'a.txt': 'a' });
    const added = await json(root, 'lessons', 'add', 'Totals are whole numbers.');
    const { id } = (added.lesson ?? added) as { id: string };
    await json(root, 'playbook', 'consolidate');
    expect(await json(root, 'playbook', 'show')).toMatchObject({ slots: [{ lesson_id: id }] });
    await json(root, 'lessons', 'forget', id);
    expect(await json(root, 'playbook', 'show')).toMatchObject({ slots: [] });
    expect(await json(root, 'playbook', 'show', '1')).toMatchObject({ slots: [{ lesson_id: id }] });
  });

  it('does not grow if it is turned off', async () => {
    const root = repositoryWith(QUICK_FILES);
    await ralphRun(root, [TASK, '--command', SECOND_TRY, '--no-memory']);
    expect(await json(root, 'memory', 'stats')).toMatchObject({
      observations: { attempts: 0 },
      lessons: { staged: 0 },
    });
  });
});

describe('memory that fails', () => {
  it('changes no verdict and no exit code', async () => {
    const root = repositoryWith(QUICK_FILES);
    mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/memory'), 'a file where a folder should be');
    commitAll(root);
    const { exitCode, verdict, stderr } = await ralphRun(root, [TASK, '--command', HONEST_FIX]);
    expect({ exitCode, verified: verdict.verified }).toEqual({ exitCode: 0, verified: true });
    expect(stderr).toContain('Memory could not');
  });

  it('is reported by health with exit code 7 if a file is damaged', async () => {
    const root = await repaired();
    const path = join(root, '.aiwg/ralph/memory/observations.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"seq":1', '"seq":7'));
    const { exitCode, stdout } = await ralph(root, ['memory', 'health']);
    expect(exitCode).toBe(7);
    expect(stdout).toContain('observations.jsonl: damaged lines: 1 of 2');
  });

  it.each([
    [['playbook', 'rollback'], 'The playbook has no earlier version.'],
    [['playbook', 'rollback', 'x'], 'version x: it must be a whole number'],
    [['playbook', 'show', '7'], 'The playbook has no version 7.'],
    [['insights', 'reflect', '--model', 'nobody'], 'model'],
    [['memory', 'digest', '--format', 'xml'], 'xml'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { exitCode, stderr, stdout } = await ralph(repositoryWith({ 'a.txt': 'a' }), args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('memory with a model', () => {
  it('draws insights from attempts, and drops one without evidence', async () => {
    const root = await repaired();
    const insights = [
      { insight: 'Check the operator of `add` in src/add.js.', importance: 0.9, attempts: [1, 2] },
      { insight: 'The moon is made of cheese.', importance: 1, attempts: [40] },
    ];
    server = await startWireServer([{ text: JSON.stringify({ insights }) }]);
    const args = ['insights', 'reflect', ...modelFlags(server), '--format', 'json'];
    const { exitCode, stdout } = await ralph(root, args, { env: KEYS });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'ok', stats: { proposed: 2, dropped: 1, active: 1 } });
    const listed = (await ralph(root, ['insights', 'list'])).stdout;
    expect(listed).toContain('Check the operator of');
    expect(listed).not.toContain('cheese');
  });

  it('digests a finished loop with the model of the reflector if --memory-model is set', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const fact = {
      fact: 'Add both arguments in `add` of src/add.js.',
      subject: 'project',
      type: 'environment',
      confidence: 0.8,
      evidence: 'ran node --test',
      supersedes: '',
    };
    const planted = { ...fact, fact: 'Releases are made by `make ship`.', evidence: 'ran make ship' };
    server = await startWireServer([
      { text: 'no' },
      { text: 'no' },
      { text: JSON.stringify({ facts: [fact, planted] }) },
    ]);
    const { exitCode, verdict } = await ralphRun(root, withModel(server), { env: KEYS });
    expect({ exitCode, verified: verdict.verified }).toEqual({ exitCode: 0, verified: true });
    const { stdout } = await ralph(root, ['lessons', 'list']);
    expect(stdout).toContain('Add both arguments');
    expect(stdout).not.toContain('make ship');
  });

  it('counts the tokens of memory in the verdict, also after resume', async () => {
    const root = repositoryWith(QUICK_FILES);
    const reply = { text: 'no', usage: { input: 500, output: 20 } };
    server = await startWireServer(Array.from({ length: 40 }, () => reply));
    const args = withModel(server).map((word) =>
      word === SECOND_TRY ? 'echo "// $RALPH_ITERATION" >> src/add.js' : word,
    );
    const first = await ralph(root, ['run', ...args, '--max-iterations', '1', '--format', 'jsonl'], {
      env: KEYS,
    });
    const lines = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const calls = lines.filter((line) => 'type' in line && line.type === 'model_called').length;
    expect(calls).toBe(server.requests.length);
    const { verdict } = lines.at(-1) as { verdict: Verdict };
    expect(verdict.usage).toMatchObject({ input_tokens: 500 * calls, output_tokens: 20 * calls });
    // At most two calls are for the reflection; the others are for memory.
    expect(calls).toBeGreaterThan(2);
    const resumed = await ralph(
      root,
      ['resume', verdict.loop_id!, '--max-iterations', '2', '--format', 'json'],
      { env: KEYS },
    );
    expect(server.requests.length).toBeGreaterThan(calls);
    expect((JSON.parse(resumed.stdout) as Verdict).usage.input_tokens).toBe(500 * server.requests.length);
  });

  it('calls the model only for memory if rules reflect', async () => {
    const root = repositoryWith(QUICK_FILES);
    server = await startWireServer([{ text: '{"facts": []}' }]);
    const args = [
      TASK,
      '--command',
      SECOND_TRY,
      '--reflector',
      'rules',
      ...modelFlags(server),
      '--memory-model',
    ];
    const { verdict } = await ralphRun(root, args, { env: KEYS });
    expect(verdict).toMatchObject({ verified: true, attempts: [{}, {}] });
    expect(server.requests).toHaveLength(1);
  });

  it('warns that rules are used if no model is set', async () => {
    const root = repositoryWith(QUICK_FILES);
    const { stderr } = await ralphRun(root, [TASK, '--command', HONEST_FIX, '--memory-model']);
    expect(stderr).toContain('--memory-model has no effect: no model is set');
  });

  it('changes no verdict and no exit code if the model gives unusable answers', async () => {
    const root = repositoryWith(QUICK_FILES);
    server = await startWireServer([{ text: 'no' }, { text: 'no' }, { text: 'no' }, { text: 'no' }]);
    const { exitCode, verdict, stderr } = await ralphRun(root, withModel(server), { env: KEYS });
    expect({ exitCode, verified: verdict.verified }).toEqual({ exitCode: 0, verified: true });
    expect(stderr).toContain('Micro-reflection failed');
    expect((await ralph(root, ['lessons', 'list'])).stdout).toContain('Never edit package.json.');
  });

  it('keeps the playbook and exits 1 if a rewrite is refused, 5 if the model gives none', async () => {
    const root = await repaired();
    await json(root, 'playbook', 'consolidate');
    const before = readFileSync(join(root, '.aiwg/ralph/memory/playbook.json'), 'utf8');
    server = await startWireServer([{ text: '{"narrative": "Short."}' }, { text: 'no' }, { text: 'no' }]);
    const args = ['playbook', 'consolidate', ...modelFlags(server), '--format', 'json'];
    const refused = await ralph(root, args, { env: KEYS });
    expect(refused.exitCode).toBe(1);
    const { status, stats } = JSON.parse(refused.stdout) as { status: string; stats: { rejected: string } };
    expect(status).toBe('rejected');
    expect(readFileSync(join(root, stats.rejected), 'utf8')).toContain('0 characters');
    expect((await ralph(root, args, { env: KEYS })).exitCode).toBe(5);
    expect(readFileSync(join(root, '.aiwg/ralph/memory/playbook.json'), 'utf8')).toBe(before);
    rmSync(join(root, stats.rejected));
  });
});
