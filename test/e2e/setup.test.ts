import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/schema/validate.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import {
  HONEST_FIX,
  NODE_TEST_FILES,
  fingerprintOf,
  git,
  repositoryWith,
  temporaryFolder,
} from '../support/repositories.ts';

describe('ralph doctor', () => {
  it('shows the detected setup, and the same results in the workspace as in the tree', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const { exitCode, stdout } = await ralph(root, ['doctor']);
    expect(stdout).toMatch(/packages +npm \(npm install\)/);
    expect(stdout).toMatch(/check +tests: node .*package\.json#scripts\.test/);
    expect(stdout).toMatch(/same +tests: fail, 1 of 3 passed/);
    expect(exitCode).toBe(0);
    expect(fingerprintOf(root)).toBe(before);
  });

  it('shows programs, keys, agents and state, with a remedy for each missing one', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const bin = temporaryFolder();
    writeFileSync(join(bin, 'opencode'), '#!/bin/sh\n', { mode: 0o755 });
    const env = {
      PATH: `${bin}:${process.env.PATH ?? ''}`,
      OPENAI_API_KEY: 'sk-secret-of-mine-0123456789',
      HOME: bin,
    };
    const { stdout, exitCode } = await ralph(root, ['doctor', '--quick'], { env });
    expect(stdout).toMatch(/^node +\d+\.\d+\.\d+ at /m);
    expect(stdout).toMatch(/^git +\d.*user\.email is not set[^]*git config --global user\.email/m);
    expect(stdout).toMatch(/^keys +OPENAI_API_KEY set$/m);
    expect(stdout).not.toContain('sk-secret');
    expect(stdout).toMatch(/^agents +(.*, )?opencode(,.*)?\n +ralph run --agent /m);
    expect(stdout).toMatch(/^ +runs: node --test$/m);
    expect(stdout).toMatch(/^next run +at most 5 attempts by search in a copy of this tree/m);
    expect(exitCode).toBe(0);
  });

  it('reports a missing key of a model and exits 5', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const env = { ANTHROPIC_API_KEY: '' };
    const asked = await ralph(root, ['doctor', '--quick', '--model', 'anthropic/claude-sonnet-4-5'], { env });
    expect(asked.stdout).toMatch(/^missing .*ANTHROPIC_API_KEY[^]*^next run +cannot start/m);
    expect(asked.stdout).toMatch(
      /^budgets .*neither time nor cost is limited[^]*--max-time 30m --max-cost 2/m,
    );
    expect(asked.exitCode).toBe(5);
  });

  it('reports state files that git does not ignore', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    await ralph(root, ['list']);
    mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/.gitignore'), '# mine\n');
    const { stdout } = await ralph(root, ['doctor', '--quick', '--format', 'json']);
    const { surroundings } = JSON.parse(stdout) as {
      surroundings: { name: string; status: string; remedy: string }[];
    };
    expect(surroundings.find(({ name }) => name === 'ignored')).toMatchObject({
      status: 'missing',
      remedy: expect.stringContaining('.gitignore'),
    });
  });

  it('compares a check that reads what the set-up of another one builds', async () => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      'package.json': {
        type: 'module',
        scripts: { pretest: 'node build.js', test: 'node --test' },
        ralph: { checks: { size: 'node size.js' } },
      },
      '.gitignore': 'node_modules\nbuilt.json\n',
      'build.js': "import { writeFileSync } from 'node:fs'; writeFileSync('built.json', '[]');",
      'size.js': "import { readFileSync } from 'node:fs'; readFileSync('built.json');",
      'built.json': '[]',
    });
    expect(await ralph(root, ['doctor'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/same +size: pass/),
    });
  });

  it('exits 6 if a check differs because the workspace lacks an ignored file', async () => {
    const files = {
      ...NODE_TEST_FILES,
      '.gitignore': 'node_modules\nlocal.json\n',
      'src/add.js':
        "import { readFileSync } from 'node:fs';\nreadFileSync(new URL('../local.json', import.meta.url));\nexport const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n",
      'local.json': '{}',
    };
    const root = repositoryWith(files);
    expect(await ralph(root, ['doctor'])).toMatchObject({
      exitCode: 6,
      stdout: expect.stringMatching(/differs +tests: fail.*in the workspace, pass/),
    });
  });
});

describe('ralph init', () => {
  it('writes a valid configuration once, and does not overwrite it', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    expect((await ralph(root, ['init', '--yes'])).exitCode).toBe(0);
    const written = readFileSync(join(root, 'ralph.config.mjs'), 'utf8');
    expect(written).toMatch(/^ {2}\/\/ Maximum duration of the loop\.\n {2}maxTime: '30m',$/m);
    const shown = await ralph(root, ['config', 'show', '--format', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ settings: { actor: 'search', maxTimeMs: 1_800_000 } });
    expect((await ralph(root, ['init'])).stdout).toMatch(/already exists and was not changed/);
    expect(readFileSync(join(root, 'ralph.config.mjs'), 'utf8')).toBe(written);
    expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).toMatch(/^\/loops\/$/m);
  });
});

describe('settings', () => {
  it('of flags override variables, which override the file', async () => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      'ralph.config.json': { maxIterations: 2, omega: 4, retryFrom: 'last' },
    });
    const { stdout } = await ralph(root, ['config', 'show', '--format', 'json', '--max-iterations', '9'], {
      env: { RALPH_MAX_ITERATIONS: '7', RALPH_OMEGA: 'auto' },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { maxIterations: 9, omega: 'auto', retryFrom: 'last' },
    });
  });

  it.each(['js', 'mjs', 'ts'])('are read from ralph.config.%s', async (extension) => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      [`ralph.config.${extension}`]: 'export default { maxIterations: 3 };\n',
    });
    const { stdout } = await ralph(root, ['config', 'show', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ settings: { maxIterations: 3 } });
  });

  it('are read from package.json#ralph', async () => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      'package.json': { ...(NODE_TEST_FILES['package.json'] as object), ralph: { omega: 2 } },
    });
    expect(JSON.parse((await ralph(root, ['config', 'show', '--format', 'json'])).stdout)).toMatchObject({
      settings: { omega: 2 },
    });
  });
});

describe('ralph run --dry-run', () => {
  it('prints the plan and changes nothing', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const { exitCode, stdout } = await ralph(root, ['run', '--dry-run']);
    expect(stdout).toMatch(/check +tests: node[^]*confirm +npm test[^]*nothing was changed/);
    expect(exitCode).toBe(0);
    expect(fingerprintOf(root)).toBe(before);
    expect(existsSync(join(root, '.aiwg/ralph/loops'))).toBe(false);
    const { verdict } = await ralphRun(root, ['--dry-run']);
    expect(validate('verdict', verdict)).toMatchObject({ ok: true });
    expect(verdict.status).toBe('dry_run');
  });
});

describe('a bare ralph run', () => {
  it('repairs a one-token bug without key, network or agent, as a one-line diff', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { exitCode, verdict } = await ralphRun(root, []);
    expect(exitCode).toBe(0);
    expect(verdict).toMatchObject({ verified: true, reward: 1 });
    expect(git(root, 'diff', '--numstat').trim()).toBe('1\t1\tsrc/add.js');
    expect(readFileSync(join(root, 'src/add.js'), 'utf8')).toContain('a + b');
  });

  it('is shown by list, status and logs', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const { verdict } = await ralphRun(root, ['--command', HONEST_FIX, '--commit']);
    expect(verdict.applied).toBe('commit');
    expect(git(root, 'log', '--format=%s', '-1')).toMatch(/^ralph: /);
    expect((await ralph(root, ['list'])).stdout).toContain(`${verdict.loop_id!}  passed`);
    expect((await ralph(root, ['status'])).stdout).toMatch(/passed[^]*0\.333 → 1\.000/);
    expect((await ralph(root, ['logs'])).stdout).toMatch(
      /1:act[^]*attempt 1 +claimed_done[^]*code_modification \(\+1 −1\) +Changed src\/add\.js/,
    );
    expect((await ralph(root, ['abort'])).stdout).toBe('No loop is running in this repository.\n');
    expect((await ralph(root, ['resume'])).stderr).toMatch(/is finished/);
  });
});
