import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/schema/validate.ts';
import { BROKEN, FILES, FIXED, gateIn, PACKAGE_FILES, SOURCE, type Gate } from '../support/gate.ts';
import { ralph, type Finished } from '../support/ralph.ts';
import { commitAll, git, temporaryFolder, writeFiles } from '../support/repositories.ts';

function reflectionsIn(root: string): unknown[] {
  const folder = join(root, '.aiwg/ralph/reflections');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown);
}

describe('ralph gate by hand', () => {
  it('passes what was red and blocks what turns red, and answers an unchanged tree from its record', async () => {
    const { root, run, write } = gateIn();
    expect(await run(['start'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/1 of 3 tests failed/),
    });
    write('src/extra.js', 'export const one = 1;\n');
    expect(await run(['check'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/Red since the start/),
    });
    write('src/sums.js', BROKEN);
    const { exitCode, stdout } = await run(['check', '--format', 'json']);
    const verdict = JSON.parse(stdout) as { verified: boolean; reason: string };
    expect(validate('verdict', verdict).ok).toBe(true);
    expect({ exitCode, ...verdict }).toMatchObject({ exitCode: 1, verified: false });
    expect(verdict.reason).toMatch(/the test "doubles" at test\/sums.test.js:5/);
    expect(verdict.reason).not.toMatch(/"adds"/);
    const again = await run(['check']);
    expect(again).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/No file has changed since/) });
    expect(reflectionsIn(root)).toHaveLength(1);
    write('src/sums.js', FIXED);
    expect(await run(['check'])).toMatchObject({
      exitCode: 0,
      stdout: expect.not.stringMatching(/Red since/),
    });
  });

  it('holds an answer that is written for the tested inputs alone, and lets a repair go', async () => {
    const taxed = (code: string): string => `export const taxed = (price) => {\n${code}};\n`;
    const { run, write } = gateIn({
      'package.json': { name: 'prices', type: 'module', scripts: { test: 'node --test' } },
      'src/prices.js': taxed('  return price;\n'),
      'test/prices.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taxed } from '../src/prices.js';
test('adds the tax', () => {
  assert.equal(taxed(250), 297.5);
  assert.equal(taxed(1000), 1190);
});
`,
    });
    expect(await run(['start'])).toMatchObject({ exitCode: 0 });
    write(
      'src/prices.js',
      taxed('  if (price === 250) return 297.5;\n  if (price === 1000) return 1190;\n  return price;\n'),
    );
    expect(await run(['check'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/taxed of src\/prices.js holds only for the tested inputs/),
    });
    write('src/prices.js', taxed('  return price * 1.19;\n'));
    expect(await run(['check'])).toMatchObject({ exitCode: 0 });
  });

  it('asks for a criterion, and refuses one that is met already', async () => {
    const { run, write } = gateIn();
    const criterion = ['--accept', 'grep -q cube src/sums.js'];
    expect(await run(['start', '--accept', 'true'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/already passes/),
    });
    expect(await run(['start', ...criterion])).toMatchObject({ exitCode: 0 });
    expect(await run(['check'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/Not met:\n- `grep -q cube/),
    });
    write('src/sums.js', `${SOURCE}export const cube = (a) => a ** 3;\n`);
    expect(await run(['check'])).toMatchObject({ exitCode: 0 });
  });
});

describe('the snapshots of ralph gate', () => {
  const snapshotsIn = (root: string): string[] =>
    git(join(root, '.aiwg/ralph/snapshots.git'), 'for-each-ref', '--format=%(refname)')
      .split('\n')
      .filter(Boolean);

  it('keeps the base and the last check only, and stop removes all of them', async () => {
    const { root, run, write } = gateIn();
    await run(['start']);
    for (const number of [1, 2, 3]) {
      write('src/extra.js', `export const extra = ${number};\n`);
      expect(await run(['check'])).toMatchObject({ exitCode: 0 });
    }
    const trees = new Set(snapshotsIn(root).map((name) => name.split('/').at(-1)));
    expect(trees.size).toBe(2);
    expect(await run(['stop'])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^1 session/) });
    expect(snapshotsIn(root)).toEqual([]);
    await run(['start']);
    write('src/sums.js', BROKEN);
    expect(await run(['check'])).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/"doubles"/) });
  });
});

describe('ralph gate as a hook', () => {
  it('does not let go of a liar and a half fix, nor of deleted, edited and skipped tests, until the work is done', async () => {
    const { root, run, stop, write } = gateIn();
    const test = join(root, 'test/sums.test.js');
    const text = readFileSync(test, 'utf8');
    const started = await run(['start', '--hook', 'claude', '--all-green'], { session_id: 's1', cwd: root });
    expect(JSON.parse(started.stdout)).toMatchObject({
      hookSpecificOutput: { hookEventName: 'SessionStart' },
    });
    const go = { stop_hook_active: true };

    const lie = await stop({ last_assistant_message: 'Everything works now.' });
    expect(lie).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/"adds"[^]*expected: 3\n {2}received: -1/),
    });
    rmSync(test);
    expect((await stop(go)).reason).toMatch(/test\/sums.test.js was deleted/);
    write('test/sums.test.js', text.replace("test('adds', () => assert.equal(add(1, 2), 3));\n", ''));
    expect((await stop(go)).reason).toMatch(/test\/sums.test.js was edited/);
    write('test/sums.test.js', text);
    write('src/sums.js', FIXED.replace('-a', 'a'));
    expect((await stop(go)).reason).toMatch(
      /"negates"[^]*Last time you were told: test\/sums\.test\.js was edited.*That is done\.[^]*Next step: /,
    );
    write('src/sums.js', FIXED);
    expect(await stop(go)).toEqual({});
    for (const record of reflectionsIn(root)) expect(validate('reflection', record).ok).toBe(true);
    expect(reflectionsIn(root)).toHaveLength(4);
  });

  it('counts what was red at the start among the failures of before where it must be green', async () => {
    const { root, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude', '--all-green'], { session_id: 's1', cwd: root });
    await stop();
    write('src/sums.js', `${SOURCE}// later\n`);
    expect((await stop()).reason).toMatch('0 failures gone, 1 as before, 0 new.');
    write('src/sums.js', BROKEN.replace('a - b', 'a + b'));
    expect((await stop()).reason).toMatch('1 failure gone, 0 as before, 1 new.');
  });

  it('lets an agent go after five blocks in a row and says so to its user; a new turn begins anew', async () => {
    const { stop, write, run, root } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/sums.js', BROKEN);
    expect((await stop()).reason).toMatch(/told 1 of at most 5 times/);
    for (const number of [2, 3, 4, 5])
      expect((await stop({ stop_hook_active: true })).reason).toMatch(`told ${number} of at most 5 times`);
    expect(await stop({ stop_hook_active: true })).toEqual({
      systemMessage: expect.stringMatching(/NOT verified.*[^]*"doubles"/),
    });
    expect((await stop()).reason).toMatch(/told 1 of at most 5 times/);
    // The step of the answer that only the user read is none that the agent was told.
    const steps: string[] = [];
    for (const at of [0, 1, 2, 3, 4, 5]) {
      write('src/sums.js', `${BROKEN}// ${at}\n`);
      const { reason, systemMessage = '' } = await stop({ stop_hook_active: at > 0 });
      steps.push(/^Next step[^:]*: (.*)$/m.exec(reason ?? systemMessage)?.[1] ?? '');
    }
    write('src/sums.js', `${BROKEN}// 6\n`);
    const { reason = '' } = await stop();
    expect(reason).toContain(`Last time you were told: ${steps[4]}`);
    expect(reason).not.toContain(`Last time you were told: ${steps[5]}`);
  });

  it('compares an agent that was not announced with the last commit, and keeps that base', async () => {
    const { root, run, stop, write } = gateIn();
    write('src/sums.js', BROKEN);
    const { stdout, stderr } = await run(['check', '--hook', 'codex'], {
      session_id: 's1',
      cwd: join(root, 'src'),
    });
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'block' });
    expect(stderr).toMatch(/compared with the last commit/);
    commitAll(root);
    expect((await stop({ stop_hook_active: true })).decision).toBe('block');
  });

  it('holds nobody for a garbled payload, a folder without a repository, one without commits, or within a loop', async () => {
    const { root, run, write } = gateIn();
    write('src/sums.js', BROKEN);
    for (const garbled of ['', 'no json', '[]'])
      expect(await run(['check', '--hook', 'claude'], garbled)).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/payload of --hook claude/),
      });
    // Exit code 2 would send the agent back to work.
    for (const wrong of [
      ['--hook', 'cline'],
      ['--hook', 'claude', '--alow', 'x'],
      ['--hok', 'claude'],
    ])
      expect(await run(['check', ...wrong], { session_id: 's', cwd: root })).toMatchObject({ exitCode: 1 });
    expect(await ralph(root, ['gat', 'check', '--hook', 'claude'])).toMatchObject({ exitCode: 1 });
    expect(await ralph(root, ['init', '--hooks', 'vim'])).toMatchObject({ exitCode: 2 });
    const elsewhere = temporaryFolder();
    expect(await run(['check', '--hook', 'claude'], { session_id: 's', cwd: elsewhere })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/not in a git repository/),
    });
    git(elsewhere, 'init', '--quiet');
    writeFiles(elsewhere, FILES);
    expect(await run(['check', '--hook', 'claude'], { session_id: 's', cwd: elsewhere })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/has no commits/),
    });
    const inLoop = await ralph(root, ['gate', 'check', '--hook', 'claude'], {
      env: { RALPH_LOOP_ID: 'ralph-x' },
      input: JSON.stringify({ session_id: 's', cwd: root }),
    });
    expect(inLoop).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('holds an agent whose repository is gone, under a short id that other repositories have, too', async () => {
    const others = gateIn();
    await others.run(['start', '--hook', 'claude'], { session_id: 's', cwd: others.root });
    const { root, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's', cwd: root });
    write('src/sums.js', BROKEN);
    renameSync(join(root, '.git'), join(root, 'git'));
    expect((await stop({ session_id: 's', cwd: join(root, 'src') })).reason).toMatch(
      /not in a git repository/,
    );
    git(root, 'init', '--quiet');
    expect((await stop({ session_id: 's', cwd: root })).reason).toMatch(/has no commits/);
    // Elsewhere the short id stands for nobody.
    expect(
      await run(['check', '--hook', 'claude'], { session_id: 's', cwd: temporaryFolder() }),
    ).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
  });

  it('holds an agent that damages the lock, puts a file in the place of its folder, or changes its settings', async () => {
    const { root, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/sums.js', BROKEN);
    expect((await stop()).reason).toMatch(/"doubles"/);
    write('src/sums.js', `${BROKEN}// 1\n`);
    write('.aiwg/ralph/lock.sqlite', 'no lock\n'.repeat(200));
    expect((await stop()).reason).toMatch(/lock.sqlite is damaged/);
    rmSync(join(root, '.aiwg'), { recursive: true });
    write('.aiwg', 'x');
    expect((await stop()).reason).toMatch(/not a directory/);
    rmSync(join(root, '.aiwg'));
    write('ralph.config.json', '{ "allow": ["**"], "skip": ["tests"] }');
    expect((await stop()).reason).toMatch(
      /settings of ralph in ralph.config.json are not those of the start/,
    );
  });

  it('takes no answer for its own that the agent got with other settings, and tells of a start after a stop', async () => {
    const { root, run, stop, write } = gateIn();
    const session = { session_id: 's1', cwd: root };
    await run(['start', '--hook', 'claude'], session);
    write('test/sums.test.js', String(FILES['test/sums.test.js']).replace('twice(2), 4', 'twice(2), 6'));
    write('src/sums.js', BROKEN);
    expect((await stop({}, ['--allow', 'test/**'])).decision).toBeUndefined();
    expect((await stop()).reason).toMatch(/test\/sums.test.js was edited/);
    await run(['stop']);
    await run(['start', '--hook', 'claude'], session);
    expect((await stop()).systemMessage).toMatch(
      /The start of this session was set anew at .* was not judged/,
    );
  });

  it('lets files go that the tests write beside themselves, at each stop', async () => {
    const gate = gateIn({
      ...FILES,
      'test/writes.test.js': `import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('writes', () => {
  writeFileSync('test/out.json', String(Date.now()));
  writeFileSync('test/made.js', \`// \${Date.now()}\\n\`);
});
`,
    });
    await gate.run(['start', '--hook', 'claude'], { session_id: 's1', cwd: gate.root });
    for (const number of [1, 2]) {
      gate.write('test/out.json', `${number}`);
      gate.write('test/made.js', `// ${number}\n`);
      gate.write('src/extra.js', `export const extra = ${number};\n`);
      expect((await gate.stop()).decision).toBeUndefined();
    }
  });

  it('copies ignored files that the tests need, and tells of those that were written since the start', async () => {
    const { root, run, stop, write } = gateIn({
      ...FILES,
      '.gitignore': 'made/\n',
      'src/sums.js': FIXED,
      'test/made.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { two } from '../made/two.js';
import { twice } from '../src/sums.js';
test('is two', () => assert.equal(twice(1), two));
`,
    });
    write('made/two.js', "export { two } from './number.js';\n");
    write('made/number.js', 'export const two = 2;\n');
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/extra.js', 'export const extra = 1;\n');
    expect(await stop()).toEqual({});
    write('src/sums.js', FIXED.replace('a * 2', 'a * 3'));
    expect((await stop()).reason).toMatch(/"is two" at test\/made.test.js:5/);
    write('made/number.js', 'export const two = 3;\n');
    write('test/sums.test.js', readFileSync(join(root, 'test/sums.test.js'), 'utf8'));
    expect((await stop()).reason).toMatch(/"doubles"/);
    write('src/sums.js', FIXED.replace('a * 2', 'a === 1 ? 3 : a * 2'));
    expect((await stop()).systemMessage).toMatch(
      /made\/number.js was written since the start, and git ignores it/,
    );
    write('src/sums.js', FIXED);
    write('src/extra.js', 'export const extra = 1;\n');
    expect((await stop()).reason).toMatch(/"is two"/);
  });

  it('judges another work tree of the repository as well, if the agent is there', async () => {
    const { root, run, stop } = gateIn({ ...FILES, 'src/sums.js': FIXED }, true);
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    const linked = join(temporaryFolder(), 'linked');
    git(root, 'worktree', 'add', '-q', linked, '-b', 'other');
    const honest = await stop({ cwd: linked });
    expect(honest.systemMessage).toMatch(
      /files of \S+linked are compared with commit [0-9a-f]{10}, on which it began/,
    );
    writeFiles(linked, { 'src/sums.js': BROKEN, 'test/sums.test.js': '' });
    git(linked, 'commit', '-qam', 'done');
    expect((await stop({ cwd: linked })).reason).toMatch(/test\/sums.test.js was edited/);
    writeFiles(root, { 'src/sums.js': BROKEN });
    git(linked, 'reset', '-q', '--hard', 'HEAD~1');
    expect((await stop({ cwd: linked })).reason).toMatch(/"doubles"/);
  });

  it('lets an added package go and tells the user, but no package in place of another', async () => {
    const manifest = (dependencies: object): string =>
      JSON.stringify({ ...(FILES['package.json'] as object), dependencies });
    const lock = (dependencies: object, versions: Readonly<Record<string, string>>): string => {
      const locked = Object.entries(versions).map(([name, version]) => [
        `node_modules/${name}`,
        { version, resolved: `https://registry.npmjs.org/${name}.tgz`, integrity: 'sha512-AAAA' },
      ]);
      const packages = { '': { name: 'sums', dependencies }, ...Object.fromEntries(locked) };
      return JSON.stringify({ name: 'sums', lockfileVersion: 3, packages });
    };
    const install = (
      { write }: Gate,
      dependencies: object,
      versions: Readonly<Record<string, string>>,
    ): void => {
      write('package.json', manifest(dependencies));
      write('package-lock.json', lock(dependencies, versions));
      write('node_modules/.package-lock.json', lock(dependencies, versions));
      for (const [name, version] of Object.entries(versions))
        write(`node_modules/${name}/package.json`, JSON.stringify({ name, version, main: 'index.js' }));
      for (const name of Object.keys(versions))
        write(`node_modules/${name}/index.js`, 'module.exports = 1;\n');
    };
    const old = { old: '^1.0.0' };
    const gate = gateIn({ ...FILES, '.gitignore': 'node_modules/\n' });
    install(gate, old, { old: '1.0.0' });
    git(gate.root, 'add', '-A');
    git(gate.root, 'commit', '-qm', 'one package');
    await gate.run(['start', '--hook', 'claude'], { session_id: 's1', cwd: gate.root });
    const both = { ...old, fresh: '^2.0.0' };
    install(gate, both, { old: '1.0.0', fresh: '2.0.0' });
    gate.write('src/one.js', "import fresh from 'fresh';\nexport const one = fresh;\n");
    const added = await gate.stop();
    expect(added.decision).toBeUndefined();
    expect(added.systemMessage).toMatch(/New in the dependencies of package.json: fresh\./);
    install(gate, both, { old: '1.0.1', fresh: '2.0.0' });
    expect((await gate.stop()).reason).toMatch(/package-lock.json was edited/);
  });

  it('holds an agent that changes an installed package by hand, at the first stop as well', async () => {
    const { root, run, stop, write } = gateIn(PACKAGE_FILES);
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/sums.js', BROKEN);
    write('node_modules/same/index.js', 'export const same = () => {};\n');
    expect((await stop()).reason).toMatch(
      /node_modules\/same\/index.js of the installed packages was changed/,
    );
  });

  it('does not let go of an agent that removes the record, the commit of the start or the package of its session', async () => {
    const { root, run, stop, write } = gateIn();
    const session = { session_id: '0b6f2f0e-6a52-4c1b-9c27-1f2e3d4c5b6a', cwd: root };
    const go = { ...session, stop_hook_active: true };
    await run(['start', '--hook', 'claude'], session);
    write('src/sums.js', BROKEN);
    commitAll(root);
    rmSync(join(root, '.aiwg'), { recursive: true });
    expect((await stop(session)).reason).toMatch(/"doubles"/);
    write('package.json', '{');
    expect((await stop(go)).reason).toMatch(/could at the start: [^]*package.json is not valid JSON/);
    git(root, 'checkout', '--quiet', 'package.json');
    // Not in the session's repository any more.
    const elsewhere = await run(['check', '--hook', 'codex'], { ...go, cwd: temporaryFolder() });
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({
      reason: expect.stringMatching(/"doubles"/) as string,
    });
    await run(['start', '--again', '--hook', 'claude'], session);
    write('.claude/settings.json', '{"disableAllHooks": true}');
    const { systemMessage } = await stop(go);
    expect(systemMessage).toMatch(/The start of this session was set anew at .* was not judged/);
    expect(systemMessage).toMatch(/hooks of ralph gate are not as they were.*see .claude\/settings.json/);
  });

  it('blocks if files change while the checks run, and says what newly decides by its surroundings', async () => {
    const { root, run, stop, write, untilCopied } = gateIn({
      ...FILES,
      'test/slow.test.js':
        "import { test } from 'node:test';\ntest('waits', () => new Promise((end) => setTimeout(end, 2000)));\n",
    });
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/sums.js', `${SOURCE}export const here = () => (process.cwd() === '/' ? 1 : 2);\n`);
    const answer = stop();
    await untilCopied('export const here');
    write('src/late.js', 'export const late = 1;\n');
    expect((await answer).reason).toMatch(/Files changed while the checks ran: src\/late.js/);
    expect((await stop({ stop_hook_active: true })).systemMessage).toMatch(
      /newly decides by its surroundings: process.cwd at src\/sums.js:4/,
    );
  });

  it('judges a tree once for two hooks at the same time', async () => {
    const { root, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('src/sums.js', BROKEN);
    const answers = await Promise.all([stop(), stop()]);
    expect(answers.map(({ decision }) => decision)).toEqual(['block', 'block']);
    expect(reflectionsIn(root)).toHaveLength(1);
  });
});

describe('ralph gate in hooks of git', () => {
  it('stops a commit by the hooks that ralph init writes, until they are removed', async () => {
    const { root, write } = gateIn();
    const init = (...args: string[]): Promise<Finished> => ralph(root, ['init', '--hooks', 'git', ...args]);
    expect(await init()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('pre-push  written') });
    write('src/sums.js', BROKEN);
    expect(() => commitAll(root, 'broken')).toThrow(/"doubles"/);
    write('src/sums.js', FIXED);
    commitAll(root, 'fixed');
    expect(git(root, 'log', '-1', '--format=%s')).toBe('fixed\n');
    expect(await init('--remove')).toMatchObject({ exitCode: 0 });
    write('src/sums.js', BROKEN);
    commitAll(root, 'broken');
    expect(git(root, 'log', '-1', '--format=%s')).toBe('broken\n');
  });

  it('judges the commit that concludes a merge', async () => {
    const { root, run, write } = gateIn();
    git(root, 'branch', 'other');
    write('a.txt', 'one\n');
    commitAll(root, 'one');
    git(root, 'checkout', '--quiet', 'other');
    write('a.txt', 'two\n');
    commitAll(root, 'two');
    expect(() => git(root, 'merge', '-')).toThrow();
    write('a.txt', 'both\n');
    git(root, 'add', '--all');
    expect(await run(['check', '--hook', 'git'])).toMatchObject({ exitCode: 0 });
    write('src/sums.js', BROKEN);
    git(root, 'add', '--all');
    expect(await run(['check', '--hook', 'git'])).toMatchObject({ exitCode: 1 });
  });

  it('judges what is committed and pushed, not what lies in the folder', async () => {
    const { root, run, write } = gateIn();
    const commit = (): Promise<Finished> => run(['check', '--hook', 'git']);
    write('src/sums.js', BROKEN);
    expect(await commit()).toMatchObject({ exitCode: 0 });
    git(root, 'add', '--all');
    write('src/sums.js', FIXED);
    expect(await commit()).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/"doubles"/) });
    const base = git(root, 'rev-parse', 'HEAD').trim();
    commitAll(root, 'fixed');
    const line = (local: string): string => `refs/heads/main ${local} refs/heads/main ${base}\n`;
    const head = git(root, 'rev-parse', 'HEAD').trim();
    expect(await run(['check', '--hook', 'git'], line(head))).toMatchObject({ exitCode: 0 });
    write('src/sums.js', BROKEN);
    commitAll(root, 'broken');
    const broken = git(root, 'rev-parse', 'HEAD').trim();
    write('src/sums.js', FIXED);
    expect(await run(['check', '--hook', 'git'], line(broken))).toMatchObject({ exitCode: 1 });
    // The first push: no remote has a commit to compare with.
    const first = `refs/heads/main ${broken} refs/heads/main ${'0'.repeat(40)}\n`;
    expect(await run(['check', '--hook', 'git'], first)).toMatchObject({ exitCode: 1 });
  });

  it('says that a test is ignored and not tracked any more, and not that it was deleted', async () => {
    const { root, run, stop, write } = gateIn();
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write('.git/info/exclude', 'test\n');
    git(root, 'rm', '-r', '--quiet', '--cached', 'test');
    write('src/sums.js', FIXED);
    expect((await stop()).reason).toMatch(/sums\.test\.js is ignored by git and not tracked any more/);
  });
});
