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

/** The command line of an agent that behaves so, and the file that it reports to. */
function agentThat(behaviour: string): { agent: string; report: string } {
  const report = join(temporaryFolder(), 'report.jsonl');
  return { agent: `${process.execPath} ${AGENT} ${behaviour} ${report}`, report };
}

function tagIn(report: string): string {
  const lines = readFileSync(report, 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { tag?: string }).tag).find((tag) => tag !== undefined)!;
}

describe('ralph run --agent', () => {
  it.each(['edit-by-protocol', 'edit-itself'])(
    '%s: an agent over ACP repairs the repository',
    async (behaviour) => {
      const root = repositoryWith(SUM_FILES);
      const { agent } = agentThat(behaviour);
      const { exitCode, verdict, stderr } = await ralphRun(root, ['make the tests pass', '--agent', agent]);
      expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 1 });
      expect(stderr).toMatch(/actor +acp: /);
      expect(readFileSync(join(root, 'src/sum.js'), 'utf8')).toBe('export const sum = (a, b) => a + b;\n');
      expect(verdict.usage.input_tokens).toBeGreaterThan(0);
    },
  );

  it('tells what the agent reports that it cost, and ends at a budget that this breaks', async () => {
    const { agent } = agentThat('edit-by-protocol');
    const { verdict } = await ralphRun(repositoryWith(SUM_FILES), ['--agent', agent]);
    expect(verdict.usage).toMatchObject({ output_tokens: 20, cached_input_tokens: 900, cost_usd: 0.25 });
    const wrong = { ...SUM_FILES, 'test/sum.test.js': SUM_FILES['test/sum.test.js'].replace('5', '7') };
    const spent = await ralphRun(repositoryWith(wrong), ['--agent', agent, '--max-cost', '0.2']);
    expect(spent.exitCode).toBe(3);
    expect(spent.verdict).toMatchObject({ status: 'budget', iterations: 1 });
    expect(spent.verdict.reason).toMatch(/\$0\.2500 of \$0\.2/);
  });

  it.each(['silent', 'chatter', 'cancel-ignored'])(
    '%s: is ended after its time, with all its children',
    async (behaviour) => {
      const root = repositoryWith(SUM_FILES);
      const before = fingerprintOf(root);
      const { agent, report } = agentThat(behaviour);
      const args = ['--agent', agent, '--agent-timeout', '2s', '-i', '1'];
      const { exitCode, verdict } = await ralphRun(root, args);
      expect(exitCode).toBe(1);
      expect(verdict).toMatchObject({ verified: false, iterations: 1 });
      expect(fingerprintOf(root)).toBe(before);
      expect(processesWith(tagIn(report))).toEqual([]);
    },
  );

  it('dies: what it left is judged all the same, and a reflection says what happened', async () => {
    const root = repositoryWith(SUM_FILES);
    const { agent, report } = agentThat('dies');
    const { exitCode, verdict } = await ralphRun(root, ['--agent', agent, '-i', '1']);
    expect(exitCode).toBe(1);
    expect(verdict.attempts[0]).toMatchObject({ files_changed: 1 });
    expect(verdict.reflections).toHaveLength(1);
    expect(processesWith(tagIn(report))).toEqual([]);
  });

  it.each([
    ['gemini', /agent gemini is not installed[\s\S]*npm install --global @google\/gemini-cli/],
    ['opencod', /Did you mean opencode\?[\s\S]*Known agents: claude, codex/],
  ])('%s: is refused with a remedy before anything runs', async (agent, says) => {
    const root = repositoryWith(SUM_FILES);
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

  it('cannot be started: ends with exit 5, the program named, and nothing changed', async () => {
    const root = repositoryWith(SUM_FILES);
    const before = fingerprintOf(root);
    const { exitCode, stderr } = await ralph(root, ['run', '--agent', '/nowhere/agent --acp']);
    expect(stderr).toMatch(/\/nowhere\/agent/);
    expect(exitCode).toBe(5);
    expect(fingerprintOf(root)).toBe(before);
  });
});
