import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import {
  NODE_TEST_FILES,
  fingerprintOf,
  git,
  repositoryWith,
  temporaryFolder,
  writeFiles,
} from '../support/repositories.ts';

const LIE = ['--command', 'true'];

/** Flags with the exit code and the message that they must cause. */
const FLAGS: readonly (readonly [
  name: string,
  args: readonly string[],
  exitCode: number,
  says: readonly RegExp[],
])[] = [
  ['an unknown flag', ['run', '--itterations', '3'], 2, [/unknown option '--itterations'/]],
  ['a mistyped flag', ['run', '--max-iteration', '3'], 2, [/--max-iterations/]],
  [
    'an unknown actor',
    ['run', '--actor', 'magic'],
    2,
    [/--actor/, /"magic"/, /search, react, cot, acp, command/],
  ],
  ['the command actor without a command', ['run', '--actor', 'command'], 2, [/--command/]],
  ['a check without a command', ['run', '--check', 'tests'], 2, [/--check/, /NAME=COMMAND/]],
  ['an unknown check to skip', ['run', '--skip', 'nosuch', ...LIE], 2, [/nosuch/, /tests/]],
  ['a negative weight', ['run', '--weights', 'tests=-1'], 2, [/--weights/, /-1/]],
  ['a weight that is not a number', ['run', '--weights', 'tests=half'], 2, [/--weights/, /half/]],
  ['a weight for an unknown check', ['run', '--weights', 'nosuch=1', ...LIE], 2, [/nosuch/]],
  ['an Ω of 0', ['run', '--omega', '0'], 2, [/--omega is 0/, /1 to 10/]],
  ['an Ω of 11', ['run', '--omega', '11'], 2, [/--omega is 11/, /1 to 10/]],
  ['zero iterations', ['run', '--max-iterations', '0'], 2, [/--max-iterations is 0/]],
  ['an empty task', ['run', ''], 2, [/task is empty/]],
  ['an empty prompt', ['run', '--prompt', '  '], 2, [/task is empty/]],
  ['a missing prompt file', ['run', '--prompt-file', 'nosuch.md'], 2, [/nosuch\.md/]],
  ['two tasks', ['run', 'one', '--prompt', 'two'], 2, [/more than once/]],
  ['an invalid duration', ['run', '--max-time', 'soon'], 2, [/--max-time/, /"soon"/, /10m/]],
  ['a duration of 50 days', ['run', '--max-time', '1200h'], 2, [/--max-time/, /"1200h"/, /below 500h/]],
  ['a duration of zero', ['run', '--check-timeout', '0s'], 2, [/--check-timeout/, /"0s"/, /above 0/]],
  ['an endless prompt file', ['run', '--prompt-file', '/dev/zero'], 2, [/\/dev\/zero/, /limit is 20000/]],
  [
    'an endless recording',
    ['run', '--model', 'openai/gpt-5', '--replay', '/dev/zero'],
    2,
    [/--replay/, /no regular file/],
  ],
  ['an endless list of tasks', ['run', '--tasks', '/dev/zero'], 2, [/--tasks \/dev\/zero is not a file/]],
  ['a mistyped command', ['evalute'], 2, [/evalute/, /ralph evaluate/]],
  ['a word that is no command', ['banana'], 2, [/no command "banana"/, /ralph run "banana"/]],
  ['a path instead of a task', ['src/add.js'], 2, [/no command "src\/add\.js"/, /ralph run "/]],
  ['a loop id with ..', ['resume', '../../etc'], 2, [/is not a loop id/]],
  ['a loop id with an escaped ..', ['logs', 'ralph-%2e%2e'], 2, [/is not a loop id/]],
  ['an unknown loop', ['resume', 'ralph-nosuch-20260101-abcdef'], 2, [/no loop ralph-nosuch/]],
  ['an unknown category', ['reflections', 'search', '--category', 'edge_case_mis'], 2, [/edge_case_miss/]],
  ['a confidence above 1', ['reflections', 'search', '--min-confidence', '7'], 2, [/--min-confidence 7/]],
  ['bounds of a job', ['submit', '.', '--sandbox', 'off'], 2, [/ralph worker --sandbox/]],
  ['--commit with --branch', ['run', '--commit', '--branch'], 2, [/exclude each other/]],
];

describe('bad input', () => {
  it.each(FLAGS)('%s is refused with a remedy and changes nothing', async (_, args, exitCode, says) => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const finished = await ralph(root, args);
    for (const text of says) expect(finished.stderr).toMatch(text);
    expect(finished.exitCode).toBe(exitCode);
    expect(finished.stdout).toBe('');
    expect(fingerprintOf(root)).toBe(before);
  });

  it('a folder without a git repository names git init', async () => {
    const root = temporaryFolder();
    writeFiles(root, NODE_TEST_FILES);
    const finished = await ralph(root, ['run', ...LIE]);
    expect(finished).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/not .*git repository[^]*git init/),
    });
  });

  it('a current folder that was deleted is said to be gone', async () => {
    const gone = temporaryFolder();
    const program = join(import.meta.dirname, '../../bin/ralph.js');
    const { exitCode, stderr } = await execa(
      'sh',
      ['-c', 'rmdir "$1"; exec "$2" "$3" evaluate', 'sh', gone, process.execPath, program],
      { cwd: gone, reject: false },
    );
    expect(stderr).toContain('The current folder does not exist any more.');
    expect(exitCode).toBe(4);
  });

  it.each([
    ['.git', /\.git (does not exist any more|was removed)/],
    ['.aiwg', /not a git repository[^]*was removed/],
  ])('a run whose %s is removed says so', async (folder, says) => {
    const root = repositoryWith(NODE_TEST_FILES);
    const command = `rm -rf '${join(root, folder)}'`;
    const finished = await ralph(root, ['run', '--sandbox', 'off', '--command', command]);
    expect(finished).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(says) });
    expect(finished.stderr).not.toContain('fault in ralph');
  });

  it('a repository without commits names the command for the first commit', async () => {
    const root = temporaryFolder();
    writeFiles(root, NODE_TEST_FILES);
    git(root, 'init', '--quiet');
    expect(await ralph(root, ['run', ...LIE])).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/no commits[^]*git commit/),
    });
  });

  it('a merge in progress is reported', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    writeFileSync(join(root, '.git', 'MERGE_HEAD'), `${git(root, 'rev-parse', 'HEAD').trim()}\n`);
    expect(await ralph(root, ['run', ...LIE])).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/merge/),
    });
  });

  it('a repository without package.json says how to declare a check', async () => {
    const root = repositoryWith({ 'README.md': 'nothing\n' });
    expect(await ralph(root, ['run', ...LIE])).toMatchObject({
      exitCode: 6,
      stderr: expect.stringMatching(/package\.json[^]*--check tests=/),
    });
  });

  it('a repository without tests is reported', async () => {
    const root = repositoryWith({ 'package.json': { name: 'empty', version: '1.0.0' }, 'index.js': '' });
    expect(await ralph(root, ['run', ...LIE])).toMatchObject({
      exitCode: 6,
      stderr: expect.stringMatching(/no (tests|checks)/i),
    });
  });

  it.each([
    ['package-lock.json', /npm ci/],
    ['pnpm-lock.yaml', /pnpm install/],
    ['yarn.lock', /yarn install/],
  ] as const)('missing dependencies name the install command for %s', async (lockfile, says) => {
    const root = repositoryWith({
      'package.json': { name: 'app', scripts: { test: 'vitest run' }, devDependencies: { vitest: '*' } },
      [lockfile]: '',
    });
    expect(await ralph(root, ['run', ...LIE])).toMatchObject({
      exitCode: 6,
      stderr: expect.stringMatching(says),
    });
  });

  it.each([
    ['a rejected promise', "export default Promise.reject(new Error('no luck'));", /no luck/],
    ['a getter that throws', "export default { get actor() { throw new Error('no luck'); } };", /no luck/],
    ['a function', 'export default { actor: () => 1 };', /could not be cloned/],
    ['a BigInt', 'export default { maxIterations: 3n };', /maxIterations is 3/],
    ['a value in itself', 'const a = {}; a.providerOptions = { a }; export default a;', /circular structure/],
    ['a call of process.exit', 'process.exit(0);', /process\.exit/],
    ['an await without end', 'await new Promise(() => {});', /waits for what never happens/],
  ])('refuses a configuration module with %s', async (_, text, message) => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.mjs': `${text}\n` });
    await ralph(root, ['trust']);
    const before = fingerprintOf(root);
    const finished = await ralph(root, ['run']);
    expect(finished).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
    expect(finished.stderr).toContain('ralph.config.mjs');
    expect(fingerprintOf(root)).toEqual(before);
  });

  it('ends although a configuration module left a timer', async () => {
    const text = 'setInterval(() => {}, 1000); export default { maxIterations: 2 };\n';
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.mjs': text });
    await ralph(root, ['trust']);
    expect(await ralph(root, ['config', 'show'])).toMatchObject({ exitCode: 0 });
  });

  it('accepts a configuration module that exports a promise', async () => {
    const text = 'export default Promise.resolve({ maxIterations: 2 });\n';
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.mjs': text });
    await ralph(root, ['trust']);
    const { stdout } = await ralph(root, ['config', 'show', '--format', 'json']);
    expect(stdout).toMatch(/"maxIterations": ?2|"value": ?2/);
  });

  it('a mistyped key in the configuration is reported with the nearest known key', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.json': { maxIteration: 3 } });
    const finished = await ralph(root, ['run', ...LIE]);
    expect(finished).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/ralph\.config\.json[^]*"maxIteration"[^]*"maxIterations"/),
    });
  });

  it('a configuration file with invalid JSON is reported by name', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'ralph.config.json': '{ maxIterations: ' });
    expect(await ralph(root, ['run'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/ralph\.config\.json could not be read/),
    });
  });

  it('an invalid environment variable is reported by name', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const finished = await ralph(root, ['run'], { env: { RALPH_OMEGA: '12' } });
    expect(finished).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/RALPH_OMEGA is 12/) });
  });

  it('a missing actor command ends with the exit code of the actor and a reflection', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const finished = await ralph(root, ['run', '--command', 'no-such-agent --do']);
    expect(finished).toMatchObject({ exitCode: 5, stderr: expect.stringMatching(/no-such-agent/) });
    expect(fingerprintOf(root)).toBe(before);
    const shown = await ralph(root, ['reflections', 'list', '--format', 'json']);
    expect(JSON.parse(shown.stdout)).toHaveLength(1);
  });

  it('a check that cannot run has its own exit code and a remedy', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const finished = await ralph(root, ['run', '--check', 'style=no-such-program', ...LIE]);
    expect(finished).toMatchObject({
      exitCode: 6,
      stderr: expect.stringMatching(/"style" could not run[^]*--skip style/),
    });
  });

  it('a second loop in one repository is refused with the holder of the lock', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const first = ralph(root, ['run', '--command', 'sleep 30']);
    await expect
      .poll(() => ralph(root, ['status']).then(({ stdout }) => stdout), { timeout: 20_000 })
      .toMatch(/running/);
    const second = await ralph(root, ['run', ...LIE]);
    expect(second).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/in use by ralph run \(process \d+[^]*ralph abort/),
    });
    expect((await ralph(root, ['abort'])).stdout).toMatch(/Stopped/);
    expect((await first).exitCode).toBe(143);
  });

  it('a read-only tree is refused', async (context) => {
    const root = repositoryWith(NODE_TEST_FILES);
    const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && shift && exec "$@"';
    const program = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');
    const finished = await unshared([
      'sh',
      '-c',
      script,
      'sh',
      root,
      process.execPath,
      program,
      'run',
      ...LIE,
    ]);
    if (/unshare|mount/.test(finished.stderr) && !/ralph:/.test(finished.stderr))
      return context.skip('mounts are not allowed here');
    expect(finished).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(/ralph: .*\.aiwg/) });
  });

  it('a state folder that is a symbolic link to another place is refused', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(root, '.aiwg'));
    expect(await ralph(root, ['run', ...LIE])).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/symbolic link/),
    });
  });

  it('a damaged journal is reported, and other files are kept', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    await ralph(root, ['run', ...LIE, '--max-iterations', '1']);
    const [{ loop_id: loop }] = JSON.parse((await ralph(root, ['list', '--format', 'json'])).stdout) as [
      { loop_id: string },
    ];
    const journal = join(root, '.aiwg', 'ralph', 'loops', loop, 'journal.jsonl');
    writeFileSync(journal, `{"seq":0,"broken\n${'{"seq":1}'}\n`);
    expect(await ralph(root, ['logs', loop])).toMatchObject({
      exitCode: 7,
      stderr: expect.stringMatching(/journal\.jsonl/),
    });
    expect(JSON.parse((await ralph(root, ['reflections', 'list', '--format', 'json'])).stdout)).toHaveLength(
      1,
    );
  });

  it('no arguments print the help and change nothing', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    expect(await ralph(root, [])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/Usage: ralph/),
    });
    expect(existsSync(join(root, '.aiwg'))).toBe(false);
  });

  it('--format json prints JSON for an error, too', async () => {
    const root = repositoryWith({ 'README.md': 'nothing\n' });
    const finished = await ralph(root, ['run', '--format', 'json', ...LIE]);
    expect(JSON.parse(finished.stdout)).toMatchObject({ status: 'error', verified: false });
  });
});

async function unshared(args: readonly string[]): Promise<{ exitCode: number | null; stderr: string }> {
  const ended = await execa('unshare', ['--mount', ...args], { stdin: 'ignore', reject: false });
  return ended.code === 'ENOENT'
    ? { exitCode: null, stderr: `unshare: ${ended.message ?? ''}` }
    : { exitCode: ended.exitCode ?? null, stderr: ended.stderr };
}
