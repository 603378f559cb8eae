import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TaskRun } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { ralph, type Finished, type RalphOptions } from '../support/ralph.ts';
import {
  commitAll,
  fingerprintOf,
  git,
  repositoryWith,
  writeFiles,
  type Files,
} from '../support/repositories.ts';

const PLAIN =
  '# Work\r\n\r\n- [ ] do-alpha\r\n  with detail\r\n- [x] before\r\n- [ ] do-beta\r\n\r\nEnd.\r\n';

/** A package without failures, with one function per file; its check looks at every file. */
const FILES: Files = {
  'package.json': { name: 'letters', version: '1.0.0', type: 'module', scripts: { test: 'sh test/all.sh' } },
  'src/start.js': 'export const start = 1;\n',
  'src/shared.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n',
  // At most four files, and no bad word.
  'ralph.config.json': { checks: { tests: 'sh test/all.sh' } },
  'test/all.sh': 'test $(ls src | wc -l) -lt 5 && ! grep -rq bad src\n',
};

/** Creates a file named like the task; a few task names have special effects. */
const ACTOR = [
  'task=$(grep -oE "do-[a-z]+" "$RALPH_PROMPT_FILE" | head -1 | cut -c4-)',
  'case $task in',
  'cheat) sed -i "s/\\[ \\]/[x]/" tasks.md;;',
  'fail) echo bad > src/fail.js;;',
  'first) sed -i "1s/.*/ONE/" src/shared.txt;;',
  'same) sed -i "1s/.*/OTHER/" src/shared.txt;;',
  'seventh) sed -i "7s/.*/SEVEN/" src/shared.txt;;',
  '*) echo "export const $task = 1;" > "src/$task.js";;',
  'esac',
].join('\n');

/** Commands that prove the tasks with special effects; every other task creates a file of its name. */
const PROOFS: Readonly<Record<string, string>> = {
  first: 'grep -q ONE src/shared.txt',
  same: 'grep -q OTHER src/shared.txt',
  seventh: 'grep -q SEVEN src/shared.txt',
};

/** A checklist whose tasks have a criterion each. */
function list(text: string): string {
  return text.replace(/do-([a-z]+)/g, (task, name: string) => `${task} \`accept: ${proofOf(name)}\``);
}

function proofOf(name: string): string {
  return PROOFS[name] ?? `test -f src/${name}.js`;
}

const RUN = ['--command', ACTOR, '--max-iterations', '1'];

async function runTasks(
  root: string,
  args: readonly string[],
  options?: RalphOptions,
): Promise<Finished & { run: TaskRun }> {
  const finished = await ralph(root, ['run', '--tasks', ...args, ...RUN, '--format', 'json'], options);
  return { ...finished, run: JSON.parse(finished.stdout) as TaskRun };
}

function tasksRepository(tasks: string, name = 'tasks.md'): string {
  const root = repositoryWith(FILES);
  writeFiles(root, { [name]: name === 'tasks.md' ? list(tasks) : tasks });
  commitAll(root, 'tasks');
  return root;
}

const statuses = ({ tasks }: TaskRun): string[] => tasks.map(({ status }) => status);

describe('ralph run --tasks', () => {
  it('runs a loop for each open item in order, ticks verified items and changes no other byte', async () => {
    const root = tasksRepository(PLAIN);
    const { run, exitCode } = await runTasks(root, ['tasks.md']);
    expect(validate('task-run', run)).toMatchObject({ ok: true });
    expect(statuses(run)).toEqual(['verified', 'done_before', 'verified']);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(list(PLAIN).replaceAll('[ ]', '[x]'));
    expect(readFileSync(join(root, 'src/alpha.js'), 'utf8')).toContain('alpha');
    expect(run.tasks[0]!.verdict!.attempts[0]!.files_changed).toBe(1);
    const again = await runTasks(root, ['tasks.md']);
    expect(statuses(again.run)).toEqual(['done_before', 'done_before', 'done_before']);
    expect(again.exitCode).toBe(0);
  });

  it('continues after a failed task, leaves it open and exits 1', async () => {
    const root = tasksRepository('- [ ] do-fail\n- [ ] do-beta\n');
    const { run, exitCode } = await runTasks(root, ['tasks.md']);
    expect(statuses(run)).toEqual(['unverified', 'verified']);
    expect(run.verified).toBe(false);
    expect(exitCode).toBe(1);
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(list('- [ ] do-fail\n- [x] do-beta\n'));
  });

  it('ignores a box that the actor ticked itself', async () => {
    const root = tasksRepository('- [ ] do-cheat\n- [ ] do-beta\n');
    const { run } = await runTasks(root, ['tasks.md']);
    expect(statuses(run)).toEqual(['unverified', 'verified']);
    expect(run.tasks[0]!.verdict!.attempts[0]!.tampering).not.toEqual([]);
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(list('- [ ] do-cheat\n- [x] do-beta\n'));
  });

  it('runs the stories of a prd.json by priority', async () => {
    const prd =
      '{ "userStories": [\n  { "id": "B", "title": "do-beta", "acceptanceCriteria": [{ "text": "there is a beta", "command": "test -f src/beta.js" }], "priority": 2, "passes": false },\n  { "id": "A", "title": "do-alpha", "acceptanceCriteria": [{ "text": "there is an alpha", "command": "test -f src/alpha.js" }], "priority": 1, "passes":false }\n] }';
    const root = tasksRepository(prd, 'prd.json');
    const { run } = await runTasks(root, ['prd.json']);
    expect(run.tasks.map(({ key, status }) => [key, status])).toEqual([
      ['A', 'verified'],
      ['B', 'verified'],
    ]);
    expect(readFileSync(join(root, 'prd.json'), 'utf8')).toBe(prd.replaceAll('false', 'true'));
  });

  it('continues the loop of a killed run without repeating finished ones', async () => {
    const root = tasksRepository('- [ ] do-alpha\n- [ ] do-beta\n- [ ] do-first\n');
    const args = ['run', '--tasks', 'tasks.md', ...RUN, '--format', 'jsonl'];
    const killed = await ralph(root, args, {
      when: [[`"task":"${list('do-beta')}","type":"attempt_started"`, (child) => child.kill('SIGKILL')]],
    });
    expect(killed.exitCode).toBeNull();
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(
      list('- [x] do-alpha\n- [ ] do-beta\n- [ ] do-first\n'),
    );
    const loops = [...killed.stdout.matchAll(/"loopId":"(ralph-[^"]+)"/g)].map(([, id]) => id);
    const { run, exitCode } = await runTasks(root, ['tasks.md']);
    expect(statuses(run), JSON.stringify(run)).toEqual(['done_before', 'verified', 'verified']);
    expect(exitCode).toBe(0);
    expect(run.tasks[1]!.loop_id).toBe(loops[1]);
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(
      list('- [x] do-alpha\n- [x] do-beta\n- [x] do-first\n'),
    );
  });

  it('shares one budget among the tasks', async () => {
    const root = tasksRepository('- [ ] do-alpha\n- [ ] do-beta\n');
    const { run, exitCode } = await runTasks(root, ['tasks.md', '--max-time', '1ms']);
    expect(statuses(run)).toEqual(['budget', 'budget']);
    expect(exitCode).toBe(3);
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(list('- [ ] do-alpha\n- [ ] do-beta\n'));
  });

  it.each([
    ['a missing file', ['nosuch.md'], /nosuch\.md could not be read/],
    ['standard input', ['-'], /needs a file/],
    ['an additional task', ['tasks.md', 'words'], /more than once/],
    ['an invalid number of loops', ['tasks.md', '--parallel', '0'], /--parallel is 0/],
    ['parallel loops in one tree', ['tasks.md', '--parallel', '2', '--isolation', 'in-place'], /in-place/],
  ])('refuses %s, and changes nothing', async (_, args, says) => {
    const root = tasksRepository('- [ ] do-alpha\n');
    const before = fingerprintOf(root);
    const finished = await ralph(root, ['run', '--tasks', ...args, ...RUN]);
    expect(finished).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(says) });
    expect(fingerprintOf(root)).toBe(before);
  });

  it('escapes control characters in titles', async () => {
    const root = tasksRepository('- [ ] do-fail \u001b]0;evil\u0007\u001b[2J\n');
    const { stdout } = await ralph(root, ['run', '--tasks', 'tasks.md', ...RUN]);
    expect(stdout).toContain('\\u{1b}]0;evil');
    for (const character of ['\u001b', '\u0007']) expect(stdout).not.toContain(character);
  });
});

describe('ralph run --tasks --parallel', () => {
  it('applies results in order and verifies the merged tree again', async () => {
    const root = tasksRepository('- [ ] do-first\n- [ ] do-seventh\n- [ ] do-alpha\n');
    const { run, exitCode, stderr } = await runTasks(root, ['tasks.md', '--parallel', '3']);
    expect(statuses(run), stderr).toEqual(['verified', 'verified', 'verified']);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(root, 'src/shared.txt'), 'utf8')).toBe(
      'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n',
    );
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(
      list('- [x] do-first\n- [x] do-seventh\n- [x] do-alpha\n'),
    );
  });

  it('keeps a result that does not merge on a branch and reports it', async () => {
    const root = tasksRepository('- [ ] do-first\n- [ ] do-same\n');
    const { run, exitCode } = await runTasks(root, ['tasks.md', '--parallel', '2']);
    expect(statuses(run)).toEqual(['verified', 'conflict']);
    expect(exitCode).toBe(4);
    expect(readFileSync(join(root, 'src/shared.txt'), 'utf8')).toMatch(/^ONE\n/);
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(list('- [x] do-first\n- [ ] do-same\n'));
    expect(git(root, 'show', `ralph/${run.tasks[1]!.loop_id!}:src/shared.txt`)).toMatch(/^OTHER\n/);
  });

  it('does not apply results that pass alone but fail together', async () => {
    const root = tasksRepository('- [ ] do-alpha\n- [ ] do-beta\n- [ ] do-gamma\n');
    const { run, exitCode } = await runTasks(root, ['tasks.md', '--parallel', '3']);
    expect(statuses(run)).toEqual(['verified', 'verified', 'conflict']);
    expect(exitCode).toBe(4);
    expect(git(root, 'status', '--porcelain', '--', ':!.aiwg').trim().split('\n')).toEqual([
      'M tasks.md',
      '?? src/alpha.js',
      '?? src/beta.js',
    ]);
  });

  it('continues after a kill and merges with the results applied before it', async () => {
    const root = tasksRepository('- [ ] do-first\n- [ ] do-seventh\n');
    const slow = `${ACTOR}\nif [ "$task" = seventh ]; then sleep 6; fi`;
    const args = ['run', '--tasks', 'tasks.md', '--parallel', '2', '--command', slow, '--format', 'jsonl'];
    const killed = await ralph(root, args, {
      when: [
        [
          `"task":"${list('do-first')}","type":"loop_finished"`,
          (child) => setTimeout(() => child.kill('SIGKILL'), 1500),
        ],
      ],
    });
    expect(killed.exitCode).toBeNull();
    expect(readFileSync(join(root, 'tasks.md'), 'utf8')).toBe(list('- [x] do-first\n- [ ] do-seventh\n'));
    const { run, exitCode } = await runTasks(root, ['tasks.md', '--parallel', '2']);
    expect(statuses(run), JSON.stringify(run)).toEqual(['done_before', 'verified']);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(root, 'src/shared.txt'), 'utf8')).toBe(
      'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n',
    );
  });

  it('undoes results one by one', async () => {
    const root = tasksRepository('- [ ] do-first\n- [ ] do-seventh\n');
    const { run } = await runTasks(root, ['tasks.md', '--parallel', '2']);
    writeFileSync(join(root, 'tasks.md'), list('- [ ] do-first\n- [ ] do-seventh\n'));
    expect(await ralph(root, ['undo', run.tasks[1]!.loop_id!])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, 'src/shared.txt'), 'utf8')).toBe(
      'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n',
    );
  });
});
