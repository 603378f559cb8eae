import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runGit, type GitRequest } from '../../platform/git/git.ts';
import type { Repository } from '../repository.ts';

/** A repository of fewer files is stored faster without a copy. */
const MIN_INDEX_BYTES = 20_000;

/** Git stores larger files one by one, in the time that it takes to read them. */
const MAX_BLOB = '1m';

/**
 * Copies the objects of the commit that is checked out into ralph's git directory, as one pack, so that the first snapshot
 * writes only what differs from it. Git would write one file for each object: 30,000 of them take some 20 times as long.
 * It is a copy because git may drop the user's objects while ralph still needs them. Whatever cannot be copied, such as
 * objects that a partial clone lacks, is stored by the snapshot.
 */
export async function copyCommittedObjects(
  { head, gitDir: userGitDir, commonDir }: Pick<Repository, 'head' | 'gitDir' | 'commonDir'>,
  gitDir: string,
): Promise<void> {
  // Then nothing needs to be copied: the user's objects are found by themselves.
  if (existsSync(join(gitDir, 'objects', 'info', 'alternates'))) return;
  const index = statSync(join(userGitDir, 'index'), { throwIfNoEntry: false });
  if (index === undefined || index.size < MIN_INDEX_BYTES) return;
  // Without the user's configuration no object is fetched.
  const own: GitRequest = { cwd: gitDir, gitDir, alsoReads: join(commonDir, 'objects') };
  const listed = await runGit(
    [
      'rev-list',
      '--objects',
      '--no-object-names',
      '--missing=allow-any',
      `--filter=blob:limit=${MAX_BLOB}`,
      `${head}^{tree}`,
    ],
    own,
  );
  if (listed.exitCode !== 0) return;
  const base = join(gitDir, 'objects', 'pack', 'pack');
  await runGit(['pack-objects', '--quiet', '--window=0', base], { ...own, input: listed.stdout });
}
