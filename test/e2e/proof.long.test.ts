import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TaskRun } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { fingerprintOf, git, HONEST_FIX, NODE_TEST_FILES, repositoryWith } from '../support/repositories.ts';

/** A repository whose checks all pass. */
const GREEN = {
  ...NODE_TEST_FILES,
  'src/add.js': 'export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n',
  'src/text.js': 'export const upper = (text) => text.toUpperCase();\n',
  'README.md': '# adder\n',
};

const TASK = 'add a slugify function to src/text.js';

const ACTORS = {
  nothing: 'true',
  readme: 'echo "Now with slugify." >> README.md',
  stub: 'echo "export const slugify = (x) => x;" >> src/text.js',
  real: `echo "export const slugify = (x) => x.trim().toLowerCase().replace(/\\s+/g, '-');" >> src/text.js`,
} as const;

const ACCEPT = `node --input-type=module -e "import { slugify } from './src/text.js'; if (slugify(' A b ') !== 'a-b') process.exit(1);"`;

/** A command that is quicker to judge, because it runs no code. */
const QUICK_ACCEPT = 'grep -q toLowerCase src/text.js';

const TEST_FILE =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport * as text from '../src/text.js';\n\n" +
  "test('slugify joins words', () => {\n  assert.equal(text.slugify?.(' A b '), 'a-b');\n});\n";

const once = ['--max-iterations', '1', '--proof-time', '0s'];

describe('a task on a green tree', () => {
  it.each([
    ['nothing', 1, 'exhausted'],
    ['readme', 1, 'exhausted'],
    ['stub', 1, 'exhausted'],
    ['real', 0, 'passed'],
  ] as const)('with --accept: the actor that does %s ends with exit code %i', async (actor, code, status) => {
    const root = repositoryWith(GREEN);
    const before = fingerprintOf(root);
    const run = await ralphRun(root, [TASK, '--command', ACTORS[actor], '--accept', ACCEPT, ...once]);
    expect(run).toMatchObject({ exitCode: code, verdict: { status, verified: code === 0 } });
    expect(validate('verdict', run.verdict)).toMatchObject({ ok: true });
    expect(fingerprintOf(root) === before).toBe(code !== 0);
    if (code !== 0) return;
    expect(run.verdict.reason).toContain('Proven by the 1 acceptance command that was red.');
    expect(run.verdict.proof).toMatchObject({
      kind: 'accept',
      criteria: [
        {
          id: 'C1',
          text: `\`${ACCEPT}\` succeeds`,
          source: 'accept',
          command: ACCEPT,
          red_before: true,
          green_after: true,
          tests: [],
        },
      ],
      uncovered: [],
    });
  });

  it.each(['readme', 'stub', 'real'] as const)(
    'without a criterion: the actor that does %s is unproven, on a branch, not applied',
    async (actor) => {
      const root = repositoryWith(GREEN);
      // An agent would be let through without a flag; a command needs the user's word.
      const run = await ralphRun(root, [TASK, '--command', ACTORS[actor], '--apply-unproven', '--branch']);
      expect(run).toMatchObject({
        exitCode: 8,
        verdict: {
          status: 'unproven',
          verified: false,
          applied: 'branch',
          proof: { kind: 'none', criteria: [] },
        },
      });
      expect(validate('verdict', run.verdict)).toMatchObject({ ok: true });
      expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('');
      expect(git(root, 'diff', '--name-only', 'HEAD', run.verdict.branch!)).not.toBe('');
      expect(existsSync(join(root, run.verdict.patch!))).toBe(true);
      const list = await ralph(root, ['list', '--format', 'json']);
      expect(list.stdout).toContain('"unproven"');
      expect(list.stdout).not.toContain('"passed": true');
      const resumed = await ralph(root, ['resume', run.verdict.loop_id!]);
      expect(resumed).toMatchObject({ exitCode: 2 });
      expect(resumed.stderr).toContain('it ended unproven');
      expect(await ralph(root, ['apply', run.verdict.loop_id!])).toMatchObject({ exitCode: 0 });
      expect(git(root, 'status', '--porcelain', '--untracked-files=no')).not.toBe('');
    },
  );

  it('applies an unproven result with --apply-unproven, and still ends with exit code 8', async () => {
    const root = repositoryWith(GREEN);
    const run = await ralphRun(root, [TASK, '--command', ACTORS.stub, '--apply-unproven']);
    expect(run).toMatchObject({ exitCode: 8, verdict: { verified: false, applied: 'tree' } });
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toContain('slugify');
  });

  it('takes --require-change as the older name, with a warning', async () => {
    const root = repositoryWith(GREEN);
    const run = await ralphRun(root, [TASK, '--command', ACTORS.stub, '--require-change']);
    expect(run).toMatchObject({ exitCode: 8, verdict: { status: 'unproven' } });
    expect(run.stderr).toContain('--require-change is the older name of --apply-unproven');
  });

  it('takes --self-tests of earlier versions, with a warning that names acceptance tests', async () => {
    const root = repositoryWith({ ...GREEN, 'ralph.config.json': { selfTests: true } });
    const run = await ralphRun(root, [
      TASK,
      '--command',
      ACTORS.real,
      '--accept',
      QUICK_ACCEPT,
      '--self-tests',
    ]);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('--self-tests has no effect any more');
    expect(run.stderr).toContain('--accept-tests FILE');
  });

  it('is not unproven if nothing was changed', async () => {
    const root = repositoryWith(GREEN);
    const run = await ralphRun(root, [TASK, '--command', ACTORS.nothing, '--apply-unproven', ...once]);
    expect(run).toMatchObject({ exitCode: 1, verdict: { status: 'exhausted', applied: 'none' } });
    expect(run.verdict.proof).toBeUndefined();
  });

  it('retries an attempt that fails its criterion, with a reflection', async () => {
    const root = repositoryWith(GREEN);
    const later = `if [ "$RALPH_ITERATION" = 1 ]; then ${ACTORS.stub}; else sed -i '/slugify/d' src/text.js; ${ACTORS.real}; fi`;
    const run = await ralphRun(root, [TASK, '--command', later, '--accept', QUICK_ACCEPT]);
    expect(run).toMatchObject({ exitCode: 0, verdict: { iterations: 2 } });
    expect(run.verdict.reflections).toHaveLength(1);
    expect(run.verdict.baseline_reward).toBeLessThan(1);
  });
});

describe('a criterion that proves nothing', () => {
  it.each([
    ['passes already', 'true', [], /--accept "true" already passes, so it proves nothing/],
    ['is not found', 'no-such-program-here', [], /--accept "no-such-program-here" could not be run/],
    ['does not end', 'sleep 60', ['--check-timeout', '2s'], /--accept "sleep 60" did not end/],
  ])('is refused before any attempt: a command that %s', async (_name, command, more, message) => {
    const root = repositoryWith(GREEN);
    const touch = `touch ${join(root, 'ran')}`;
    const run = await ralph(root, [
      'run',
      TASK,
      '--command',
      touch,
      '--sandbox',
      'off',
      '--accept',
      command,
      ...more,
    ]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(message);
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it.each([
    ['does not exist', 'test/none.test.js', /--accept-tests test\/none\.test\.js: the file does not exist/],
    ['no runner runs', 'README.md', /--accept-tests README\.md is not run by any test runner/],
    ['passes already', 'test/add.test.js', /--accept-tests test\/add\.test\.js already passes/],
  ])('is refused: a test file that %s', async (_name, file, message) => {
    const root = repositoryWith(GREEN);
    const run = await ralph(root, ['run', TASK, '--command', ACTORS.real, '--accept-tests', file]);
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toMatch(message);
  });

  it('is needed for a command, and a task on a green tree needs an actor that can do it', async () => {
    const root = repositoryWith(GREEN);
    const command = await ralph(root, ['run', TASK, '--command', ACTORS.real]);
    expect(command).toMatchObject({ exitCode: 2 });
    expect(command.stderr).toContain('--accept "COMMAND"');
    const search = await ralph(root, ['run', TASK]);
    expect(search).toMatchObject({ exitCode: 2 });
    expect(search.stderr).toContain('--model provider/model');
    expect(await ralphRun(root, [])).toMatchObject({ exitCode: 0, verdict: { status: 'nothing_to_do' } });
  });
});

describe('--accept-tests', () => {
  it('proves a change, and protects the file from the first attempt', async () => {
    const root = repositoryWith(GREEN);
    writeFileSync(join(root, 'test/text.test.js'), TEST_FILE);
    const args = ['--accept-tests', 'test/text.test.js', ...once];
    const cheat = await ralphRun(root, [
      TASK,
      '--command',
      `${ACTORS.stub}; echo > test/text.test.js`,
      ...args,
    ]);
    expect(cheat).toMatchObject({ exitCode: 1, verdict: { verified: false } });
    expect(cheat.verdict.attempts[0]!.tampering).toMatchObject([{ file: 'test/text.test.js' }]);
    const honest = await ralphRun(root, [TASK, '--command', ACTORS.real, ...args]);
    expect(honest).toMatchObject({
      exitCode: 0,
      verdict: {
        verified: true,
        proof: { kind: 'accept_tests', criteria: [{ tests: ['test/text.test.js'] }] },
      },
    });
  });
});

describe('a red tree', () => {
  it('names the tests that were red as the proof, with and without a task text', async () => {
    for (const words of [[], ['repair add']]) {
      const { exitCode, verdict } = await ralphRun(repositoryWith(NODE_TEST_FILES), [
        ...words,
        '--command',
        HONEST_FIX,
      ]);
      expect(exitCode).toBe(0);
      expect(verdict.reason).toContain('Proven by the 2 tests that were red.');
      expect(verdict.proof).toMatchObject({
        kind: 'repair',
        criteria: [
          { source: 'check', red_before: true, green_after: true, text: 'tests: 2 failing tests pass' },
        ],
      });
      expect(verdict.proof!.criteria[0]!.tests).toEqual([
        'test/add.test.js: adds',
        'test/add.test.js: doubles',
      ]);
    }
  });

  it('shows the proof in the terminal and the reports', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const run = await ralph(root, ['run', '--command', HONEST_FIX]);
    expect(`${run.stdout}${run.stderr}`).toMatch(/proof +tests: 2 failing tests pass: red before, green now/);
    for (const option of ['--markdown', '--junit', '--html']) {
      const { stdout } = await ralph(root, ['report', option, '-']);
      expect(stdout).toContain('tests: 2 failing tests pass');
    }
    expect((await ralph(root, ['report'])).stdout).toContain('tests: 2 failing tests pass');
  });
});

describe('a prd.json', () => {
  it.each([
    ['stub', 'unverified', false],
    ['real', 'verified', true],
  ] as const)(
    'with a criterion: the story of the actor that does %s is %s',
    async (actor, status, passes) => {
      const story = {
        id: 'S1',
        title: TASK,
        acceptanceCriteria: [{ text: 'Words are joined', command: QUICK_ACCEPT }],
        passes: false,
      };
      const root = repositoryWith({ ...GREEN, 'prd.json': JSON.stringify({ userStories: [story] }) });
      const args = ['run', '--tasks', 'prd.json', '--format', 'json', '--command', ACTORS[actor], ...once];
      const run = JSON.parse((await ralph(root, args)).stdout) as TaskRun;
      expect(run.tasks[0]!.status).toBe(status);
      const stored = JSON.parse(readFileSync(join(root, 'prd.json'), 'utf8')) as {
        userStories: { passes: boolean }[];
      };
      expect(stored.userStories[0]!.passes).toBe(passes);
    },
  );

  it('is not ticked for an unproven result', async () => {
    const story = { id: 'S1', title: TASK, acceptanceCriteria: ['Words are joined'], passes: false };
    const root = repositoryWith({ ...GREEN, 'prd.json': JSON.stringify({ userStories: [story] }) });
    const args = [
      'run',
      '--tasks',
      'prd.json',
      '--format',
      'json',
      '--command',
      ACTORS.real,
      '--apply-unproven',
    ];
    const run = await ralph(root, args);
    expect(run.exitCode).not.toBe(0);
    expect((JSON.parse(run.stdout) as TaskRun).verified).toBe(false);
    expect(readFileSync(join(root, 'prd.json'), 'utf8')).toContain('"passes":false');
  });

  it('is not ticked if one of its criteria is only a sentence, which the result names', async () => {
    const acceptanceCriteria = [
      'Umlauts are transliterated',
      { text: 'Words are joined', command: QUICK_ACCEPT },
    ];
    const story = { id: 'S1', title: TASK, acceptanceCriteria, passes: false };
    const root = repositoryWith({ ...GREEN, 'prd.json': JSON.stringify({ userStories: [story] }) });
    const args = ['run', '--tasks', 'prd.json', '--format', 'json', '--command', ACTORS.real, ...once];
    const { tasks } = JSON.parse((await ralph(root, args)).stdout) as TaskRun;
    expect(tasks[0]).toMatchObject({ status: 'unproven', ticked: false });
    expect(tasks[0]!.reason).toContain('No command or test covers "Umlauts are transliterated"');
  });

  it('goes on after a story that cannot be proven', async () => {
    const stories = [
      { id: 'S1', title: 'Tidy up', acceptanceCriteria: [], passes: false },
      {
        id: 'S2',
        title: TASK,
        acceptanceCriteria: [{ text: 'Words', command: QUICK_ACCEPT }],
        passes: false,
      },
    ];
    const root = repositoryWith({ ...GREEN, 'prd.json': JSON.stringify({ userStories: stories }) });
    const args = ['run', '--tasks', 'prd.json', '--format', 'json', '--command', ACTORS.real, ...once];
    const run = await ralph(root, args);
    expect(run.exitCode).toBe(1);
    const { tasks } = JSON.parse(run.stdout) as TaskRun;
    expect(tasks.map(({ status }) => status)).toEqual(['error', 'verified']);
    expect(tasks[0]!.reason).toContain('nothing would prove that the task is done');
  });

  it.each([
    ['Add slugify to src/text.js', 'unproven'],
    ['Let add give the sum', 'verified'],
    ['Fix the failing tests', 'verified'],
  ])('"%s" is %s by a repair of add', async (title, status) => {
    const story = { id: 'S1', title, acceptanceCriteria: [], passes: false };
    const root = repositoryWith({ ...NODE_TEST_FILES, 'prd.json': JSON.stringify({ userStories: [story] }) });
    const args = ['run', '--tasks', 'prd.json', '--format', 'json', '--command', HONEST_FIX, ...once];
    const { tasks } = JSON.parse((await ralph(root, args)).stdout) as TaskRun;
    expect(tasks[0]!.status).toBe(status);
  });
});

describe('what proves a result', () => {
  it.each([
    ['an empty folder', 'mkdir src/empty', 'test -d src/empty'],
    ['a mode that git does not store', 'chmod 600 src/text.js', 'test "$(stat -c %a src/text.js)" = 600'],
    ['an ignored file', 'mkdir -p .cache; touch .cache/ok', 'test -f .cache/ok'],
  ])('is run on what is delivered, which does not have %s', async (_, command, accept) => {
    const root = repositoryWith({ ...GREEN, '.gitignore': 'node_modules\n.cache\n' });
    const actor = `${command}; echo '// c' >> src/text.js`;
    const run = await ralphRun(root, [TASK, '--command', actor, '--accept', accept, ...once]);
    expect(run, run.stderr).toMatchObject({ exitCode: 1, verdict: { verified: false } });
    expect(run.stderr).toContain('in a clean checkout of the change');
  });

  it('may be a test file that imports a missing export by name', async () => {
    const file = TEST_FILE.replace('* as text', '{ slugify }').replace('text.slugify?.', 'slugify');
    const root = repositoryWith({ ...GREEN, 'test/slug.test.js': file });
    const args = [TASK, '--command', ACTORS.real, '--accept-tests', 'test/slug.test.js', ...once];
    expect(await ralphRun(root, args)).toMatchObject({ exitCode: 0, verdict: { verified: true } });
  });

  it.each([
    [
      'skips every test',
      "import { test } from 'node:test';\ntest.skip('later', () => {});\n",
      /only tests that are skipped/,
    ],
    [
      'does not parse',
      "import { test } from 'node:test';\ntest('a', () => {\n",
      /cannot be read: .*|is not run by any/,
    ],
  ])('is no test file that %s', async (_, text, message) => {
    const root = repositoryWith({ ...GREEN, 'test/later.test.js': text });
    const run = await ralph(root, [
      'run',
      TASK,
      '--command',
      ACTORS.real,
      '--accept-tests',
      'test/later.test.js',
    ]);
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
  });
});
