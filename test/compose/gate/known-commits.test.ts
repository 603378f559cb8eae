import { describe, expect, it } from 'vitest';
import { fetchedCommits, noteCommits, readCommits } from '../../../src/compose/gate/known-commits.ts';
import { openRepository } from '../../../src/workspace/repository.ts';
import { git, repositoryWith, temporaryFolder } from '../../support/repositories.ts';

/** A repository with a remote, and a clone of that remote, after the start of a session. */
async function started() {
  const root = repositoryWith({ a: '1' });
  const [remote, clone, folder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  git(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
  git(root, 'remote', 'add', 'origin', remote);
  git(root, 'push', '--quiet', '--set-upstream', 'origin', 'HEAD:main');
  git(clone, 'clone', '--quiet', remote, '.');
  const repository = await openRepository(root);
  const store = { folder: () => folder };
  await noteCommits('s1', repository, store);
  const fetched = () => fetchedCommits(readCommits('s1', store)!, repository);
  return { root, clone, fetched };
}

const commit = (root: string): string => {
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'later');
  return git(root, 'rev-parse', 'HEAD').trim();
};

describe('the commits that were fetched since the start', () => {
  it('are those that a fetch or a pull brought', async () => {
    const { root, clone, fetched } = await started();
    const id = commit(clone);
    git(clone, 'push', '--quiet', 'origin', 'HEAD:main', 'HEAD:feature/x');
    git(root, 'pull', '--quiet', '--ff-only', 'origin', 'main');
    git(root, 'fetch', '--quiet');
    expect(new Set((await fetched()).map((it) => it.id))).toEqual(new Set([id]));
  });

  it('are none that were made here, or that only a reference with the words of a fetch names', async () => {
    const { root, clone, fetched } = await started();
    const say = (id: string): string =>
      git(root, 'update-ref', '-m', 'fetch origin: fast-forward', 'refs/remotes/origin/main', id);
    say(commit(root));
    expect(await fetched()).toEqual([]);
    git(root, 'fetch', '--quiet', clone);
    const hidden = git(root, 'commit-tree', '-p', 'HEAD', '-m', 'hidden', 'HEAD^{tree}').trim();
    git(root, 'fetch', '--quiet');
    say(hidden);
    expect(await fetched()).toEqual([]);
  });
});
