import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesWith } from '../../src/platform/processes/process-tree.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { fingerprintOf, repositoryWith, temporaryFolder } from '../support/repositories.ts';

const AGENT = join(import.meta.dirname, '..', 'support', 'acp', 'agent.ts');

const SUM_FILES = {
  'package.json': { name: 'sum', type: 'module', scripts: { test: 'node --test' } },
  'src/sum.js': 'export const sum = (a, b) => a - b;\n',
  'test/sum.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from '../src/sum.js';\ntest('adds', () => assert.equal(sum(2, 3), 5));\n",
};

/** The same with a check that only looks at the source; see `QUICK_FILES`. */
const QUICK_SUM_FILES = {
  ...SUM_FILES,
  'ralph.config.json': { checks: { tests: 'sh check.sh' } },
  'check.sh': "grep -q 'a + b' src/sum.js\n",
};

/** The command line of a scripted agent, and the file that it writes its report to. */
function scriptedAgent(behaviour: string): { agent: string; report: string } {
  const report = join(temporaryFolder(), 'report.jsonl');
  return { agent: `${process.execPath} ${AGENT} ${behaviour} ${report}`, report };
}

function tagIn(report: string): string {
  const lines = readFileSync(report, 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { tag?: string }).tag).find((tag) => tag !== undefined)!;
}

describe('ralph doctor --agent', () => {
  it('starts the agent in an empty repository, and says what it answers or misses; --quick does not', async () => {
    const root = repositoryWith(SUM_FILES);
    const { agent, report } = scriptedAgent('edit-itself');
    const asked = await ralph(root, ['doctor', '--agent', agent, '--format', 'json']);
    const { greeting } = JSON.parse(asked.stdout) as { greeting: { isAnswered: boolean; warnings: unknown } };
    expect(greeting).toMatchObject({ isAnswered: expect.any(Boolean) as boolean, warnings: [] });
    expect(existsSync(report)).toBe(true);
    expect(readFileSync(join(root, 'src/sum.js'), 'utf8')).toBe(SUM_FILES['src/sum.js']);

    const broken = 'sh -c "echo Run me login first >&2; exit 3"';
    const refused = await ralph(root, ['doctor', '--agent', broken]);
    expect(refused).toMatchObject({
      exitCode: 5,
      stdout: expect.stringMatching(/missing[^]*Run me login first/) as string,
    });
    const quick = await ralph(root, ['doctor', '--quick', '--agent', broken]);
    expect(quick).toMatchObject({
      exitCode: 0,
      stdout: expect.not.stringMatching(/^(missing|hello) /m) as string,
    });
  });
});

describe('ralph run --agent', () => {
  it.each(['edit-by-protocol', 'edit-itself'])('%s: repairs the repository over ACP', async (behaviour) => {
    const root = repositoryWith(QUICK_SUM_FILES);
    const { agent } = scriptedAgent(behaviour);
    const { exitCode, verdict, stderr } = await ralphRun(root, ['make the tests pass', '--agent', agent]);
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 1 });
    expect(stderr).toMatch(/actor +acp: /);
    expect(readFileSync(join(root, 'src/sum.js'), 'utf8')).toBe('export const sum = (a, b) => a + b;\n');
    expect(verdict.usage.input_tokens).toBeGreaterThan(0);
  });

  it('reports the cost that the agent states, and ends when it exceeds the budget', async () => {
    const { agent } = scriptedAgent('edit-by-protocol');
    const { verdict } = await ralphRun(repositoryWith(QUICK_SUM_FILES), ['--agent', agent]);
    expect(verdict.usage).toMatchObject({ output_tokens: 20, cached_input_tokens: 900, cost_usd: 0.25 });
    const wrong = { ...QUICK_SUM_FILES, 'check.sh': 'exit 1\n' };
    const spent = await ralphRun(repositoryWith(wrong), ['--agent', agent, '--max-cost', '0.2']);
    expect(spent.exitCode).toBe(3);
    expect(spent.verdict).toMatchObject({ status: 'budget', iterations: 1 });
    expect(spent.verdict.reason).toMatch(/\$0\.2500 of \$0\.2/);
  });

  it.each(['silent', 'chatter', 'cancel-ignored'])(
    '%s: is killed with all its children after its time limit',
    async (behaviour) => {
      const root = repositoryWith(QUICK_SUM_FILES);
      const before = fingerprintOf(root);
      const { agent, report } = scriptedAgent(behaviour);
      const args = ['--agent', agent, '--agent-timeout', '2s', '-i', '1'];
      const { exitCode, verdict } = await ralphRun(root, args);
      expect(exitCode).toBe(1);
      expect(verdict).toMatchObject({ verified: false, iterations: 1 });
      expect(fingerprintOf(root)).toBe(before);
      expect(processesWith(tagIn(report))).toEqual([]);
    },
  );

  it('evaluates the edits of an agent that died, and writes a reflection', async () => {
    const root = repositoryWith(QUICK_SUM_FILES);
    const { agent, report } = scriptedAgent('dies');
    const { exitCode, verdict } = await ralphRun(root, ['--agent', agent, '-i', '1']);
    expect(exitCode).toBe(1);
    expect(verdict.attempts[0]).toMatchObject({ files_changed: 1 });
    expect(verdict.reflections).toHaveLength(1);
    expect(processesWith(tagIn(report))).toEqual([]);
  });

  it.each([
    ['gemini', /agent gemini is not installed[\s\S]*npm install --global @google\/gemini-cli/],
    ['opencod', /Did you mean opencode\?[\s\S]*Known agents: claude, codex/],
  ])('refuses the missing agent %s with a remedy before anything runs', async (agent, says) => {
    const root = repositoryWith(QUICK_SUM_FILES);
    const before = fingerprintOf(root);
    const bin = join(process.execPath, '..');
    const { exitCode, stderr, stdout } = await ralph(root, ['run', '--agent', agent], {
      env: { PATH: `${bin}:/usr/bin:/bin` },
    });
    expect(stderr).toMatch(says);
    expect(exitCode).toBe(5);
    expect(stdout).not.toContain('baseline');
    expect(fingerprintOf(root)).toBe(before);
    expect(existsSync(join(root, '.aiwg/ralph/reflections'))).toBe(false);
  });

  it('exits 5, names the program and changes nothing if the agent cannot be started', async () => {
    const root = repositoryWith(QUICK_SUM_FILES);
    const before = fingerprintOf(root);
    const { exitCode, stderr } = await ralph(root, ['run', '--agent', '/nowhere/agent --acp']);
    expect(stderr).toMatch(/\/nowhere\/agent/);
    expect(exitCode).toBe(5);
    expect(fingerprintOf(root)).toBe(before);
  });
});

describe('acceptance tests by an agent', () => {
  const GREEN = {
    ...SUM_FILES,
    'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  };
  const TASK = 'Add product(a, b) to src/product.js: it multiplies.';

  it.each([
    ['real', 0, 'passed'],
    ['stub', 1, 'exhausted'],
    ['idle', 1, 'exhausted'],
  ] as const)('are written in a session of its own; %s ends with %i', async (conduct, code, status) => {
    const root = repositoryWith(GREEN);
    const { agent, report } = scriptedAgent('tests-first');
    const words = [TASK, '--agent', `${agent} ${conduct}`, '-i', '1', '--fixers', 'off'];
    const { exitCode, verdict, stderr } = await ralphRun(root, words);
    expect({ exitCode, status: verdict.status }, stderr).toEqual({ exitCode: code, status });
    const sessions = readFileSync(report, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(sessions.filter((line) => 'isWriting' in line)).toEqual([
      { isWriting: true, hasProduct: false },
      // What the first session made beside the tests is undone.
      { isWriting: false, hasProduct: false },
    ]);
    if (code !== 0) return;
    expect(verdict.proof).toMatchObject({
      kind: 'written',
      criteria: [
        { text: 'product multiplies', red_before: true, green_after: true },
        { text: '"multiplies by one" passes.', red_before: true, green_after: true },
      ],
    });
    expect(existsSync(join(root, 'test/product.test.js'))).toBe(true);
  });
});

describe('--record and --replay of an agent', () => {
  const RUN = ['make the tests pass', '--no-acceptance-tests'];

  it('repeats a recorded run in another copy, without the agent', async () => {
    const { agent, report } = scriptedAgent('edit-itself');
    const recording = join(temporaryFolder(), 'run.jsonl');
    const first = await ralphRun(repositoryWith(QUICK_SUM_FILES), [
      ...RUN,
      '--agent',
      agent,
      '--record',
      recording,
    ]);
    expect(first.exitCode).toBe(0);
    const before = readFileSync(report, 'utf8');
    const root = repositoryWith(QUICK_SUM_FILES);
    const again = await ralphRun(root, [...RUN, '--agent', 'not-installed', '--replay', recording]);
    expect({ exitCode: again.exitCode, verified: again.verdict.verified }).toEqual({
      exitCode: 0,
      verified: true,
    });
    expect(again.stderr).not.toMatch(/leaves the recorded path/);
    expect(readFileSync(join(root, 'src/sum.js'), 'utf8')).toBe('export const sum = (a, b) => a + b;\n');
    expect(again.verdict.usage).toEqual({ ...first.verdict.usage, cost_usd: 0 });
    expect(readFileSync(report, 'utf8')).toBe(before);
  });

  it('says where a replay leaves the recorded path, and what it cannot repeat', async () => {
    const recording = join(temporaryFolder(), 'run.jsonl');
    const command = ['--command', `sed -i 's/a - b/a * b/' src/sum.js`];
    const recorded = await ralphRun(repositoryWith(QUICK_SUM_FILES), [
      ...RUN,
      ...command,
      '-i',
      '1',
      '--record',
      recording,
    ]);
    expect(recorded.exitCode).toBe(1);

    const task = await ralphRun(repositoryWith(QUICK_SUM_FILES), [
      'make every test pass',
      '--no-acceptance-tests',
      ...command,
      '-i',
      '1',
      '--replay',
      recording,
    ]);
    expect(task.stderr).toMatch(
      /leaves the recorded path in attempt 1: its prompt differs at line \d+: recorded "make the tests pass", now "make every test pass"/,
    );
    const more = await ralphRun(repositoryWith(QUICK_SUM_FILES), [
      ...RUN,
      ...command,
      '-i',
      '2',
      '--replay',
      recording,
    ]);
    expect({ exitCode: more.exitCode }).toEqual({ exitCode: 5 });
    expect(more.stderr).toMatch(/has 1 attempt, and no attempt 2\./);
    const files = { ...QUICK_SUM_FILES, 'src/sum.js': 'export const sum = (x, y) => x - y;\n' };
    const other = await ralphRun(repositoryWith(files), [...RUN, ...command, '--replay', recording]);
    expect({ exitCode: other.exitCode }).toEqual({ exitCode: 5 });
    expect(other.stderr).toMatch(/edits of attempt 1 cannot be made: [^]*src\/sum\.js/);
  });

  it('does not write over a recording, and refuses a file that is none', async () => {
    const root = repositoryWith(QUICK_SUM_FILES);
    const taken = join(root, 'package.json');
    const over = await ralph(root, ['run', '--command', 'true', '--record', taken]);
    expect(over).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/exists already/) as string });
    const none = await ralph(root, ['run', '--command', 'true', '--replay', taken]);
    expect(none).toMatchObject({
      exitCode: 7,
      stderr: expect.stringMatching(/header of a recording/) as string,
    });
  });
});
