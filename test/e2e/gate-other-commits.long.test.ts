import { describe, expect, it } from 'vitest';
import { BROKEN, FILES, gateIn, SOURCE, type Gate } from '../support/gate.ts';
import { commitAll, git, temporaryFolder } from '../support/repositories.ts';

const TEST = FILES['test/sums.test.js'] as string;
/** A colleague's further test, and an agent's that asks for nothing. */
const THEIRS = `${TEST}test('more', () => assert.equal(twice(3), 6));\n`;
const WEAK = TEST.replace('twice(2), 4', 'twice(2), twice(2)');
const EDITED = { decision: 'block', reason: expect.stringMatching(/test\/sums\.test\.js was edited/) };

/** A session that begins on main, where a branch `theirs` has another test, and a remote both of them. */
async function started(): Promise<Gate> {
  const gate = gateIn();
  const { root, run, write } = gate;
  git(root, 'checkout', '--quiet', '-b', 'theirs');
  write('test/sums.test.js', THEIRS);
  commitAll(root, 'theirs');
  git(root, 'checkout', '--quiet', 'main');
  const remote = temporaryFolder();
  git(remote, 'init', '--quiet', '--bare');
  git(root, 'remote', 'add', 'origin', remote);
  git(root, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
  return gate;
}

describe('ralph gate, where commits of others change tests', () => {
  it('counts the tests of a branch that is checked out or merged as those of the start, and tells the user', async () => {
    const { root, stop, write } = await started();
    const told = { systemMessage: expect.stringMatching(/which was there at the start of the session/) };
    git(root, 'checkout', '--quiet', 'theirs');
    expect(await stop()).toMatchObject(told);
    // The same files are another matter on the branch of the start.
    git(root, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    expect(await stop()).toMatchObject(EDITED);
    git(root, 'reset', '--quiet', '--hard');
    git(root, 'merge', '--quiet', '--no-ff', '--message', 'merge', 'theirs');
    expect(await stop()).toMatchObject(told);
    write('src/sums.js', BROKEN);
    expect(await stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/"more"/) });
    git(root, 'checkout', '--quiet', 'src');
    write('test/sums.test.js', WEAK);
    commitAll(root, 'weak');
    expect(await stop()).toMatchObject(EDITED);
  });

  it('counts what was fetched from a remote of the start, but nothing that the agent made and pushed, or wrote as a reference', async () => {
    const { root, stop, write } = await started();
    git(root, 'checkout', '--quiet', '-b', 'mine');
    write('test/sums.test.js', WEAK);
    commitAll(root, 'mine');
    git(root, 'push', '--quiet', 'origin', 'mine:main');
    git(root, 'checkout', '--quiet', 'main');
    git(root, 'merge', '--quiet', 'origin/main');
    expect(await stop()).toMatchObject(EDITED);
    git(root, 'reset', '--quiet', '--hard', 'HEAD~1');
    git(root, 'update-ref', 'refs/remotes/origin/other', 'mine');
    git(root, 'merge', '--quiet', 'origin/other');
    expect(await stop()).toMatchObject(EDITED);

    const fresh = await started();
    const clone = temporaryFolder();
    git(clone, 'clone', '--quiet', git(fresh.root, 'remote', 'get-url', 'origin').trim(), '.');
    git(clone, 'checkout', '--quiet', '-B', 'main', 'origin/main');
    git(clone, 'fetch', '--quiet', fresh.root, 'theirs');
    git(clone, 'merge', '--quiet', 'FETCH_HEAD');
    git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'later');
    git(clone, 'push', '--quiet', 'origin', 'main');
    git(fresh.root, 'pull', '--quiet', '--ff-only');
    expect(await fresh.stop()).toMatchObject({
      systemMessage: expect.stringMatching(/which was fetched since the start/),
    });
  });

  it('counts the files of an older commit as those of the start after a checkout, and tells the user', async () => {
    const gate = gateIn();
    const { root, run, stop, write } = gate;
    git(root, 'tag', 'v1');
    write('test/sums.test.js', THEIRS);
    commitAll(root, 'more tests');
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    const told = { systemMessage: expect.stringMatching(/left the commit of the start .* which is older/) };
    git(root, 'checkout', '--quiet', 'v1');
    expect(await stop()).toMatchObject(told);
    git(root, 'switch', '--quiet', '--create', 'fix');
    write('README.md', 'a fix\n');
    git(root, 'add', 'README.md');
    git(root, 'commit', '--quiet', '--message', 'fix');
    expect(await stop()).toMatchObject(told);
    // The tests of then judge.
    write('src/sums.js', BROKEN);
    expect(await stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/"doubles"/) });
    git(root, 'checkout', '--quiet', 'src');
    write('test/sums.test.js', WEAK);
    git(root, 'commit', '--quiet', '--all', '--message', 'weak');
    expect(await stop()).toMatchObject(EDITED);
    // A commit that was made anew has left nothing.
    git(root, 'checkout', '--quiet', '-B', 'again', 'main');
    git(root, 'commit', '--quiet', '--amend', '--message', 'other words');
    write('README.md', 'ours\n');
    expect((await stop()).systemMessage).not.toMatch(/left the commit/);
  });

  it('holds who sets the branch of the start back to weaker tests to hide a break, and says that', async () => {
    const { root, run, stop, write } = gateIn();
    write('test/sums.test.js', THEIRS.replace('twice(3), 6', 'twice(0), 0'));
    commitAll(root, 'more tests');
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    git(root, 'reset', '--quiet', '--hard', 'HEAD~1');
    write('src/sums.js', SOURCE.replace('a * 2', 'a * a'));
    const held = await stop();
    expect(held).toMatchObject(EDITED);
    expect(held.reason).toMatch(/main was set back from commit [0-9a-f]{10} to [0-9a-f]{10}/);
  });

  it('lets a merge be committed that brings the tests of another branch', async () => {
    const { root, run, write } = await started();
    write('README.md', 'ours\n');
    commitAll(root, 'ours');
    git(root, 'checkout', '--quiet', 'theirs');
    write('README.md', 'theirs\n');
    commitAll(root, 'theirs');
    git(root, 'checkout', '--quiet', 'main');
    expect(() => git(root, 'merge', 'theirs')).toThrow();
    write('README.md', 'both\n');
    git(root, 'add', '--all');
    expect(await run(['check', '--hook', 'git'])).toMatchObject({ exitCode: 0 });
    write('test/sums.test.js', WEAK);
    git(root, 'add', '--all');
    expect(await run(['check', '--hook', 'git'])).toMatchObject({ exitCode: 1 });
  });
});
