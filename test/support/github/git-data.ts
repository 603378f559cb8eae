/** GitHub's API for git objects, on a bare repository: what it makes is what git makes. */
import { execaSync } from 'execa';

type Answered = [status: number, body: unknown];
type Given = Readonly<Record<string, unknown>>;

interface TreeItem {
  readonly path: string;
  readonly mode: string;
  readonly sha: string | null;
}

/** Blobs, trees, commits and refs. */
export function writeGitObject(
  bare: string,
  method: string,
  rest: string,
  given: Given,
): Answered | undefined {
  const git = (args: readonly string[], input?: Buffer | string, env: Record<string, string> = {}): string =>
    execaSync('git', args, { cwd: bare, env, ...(input === undefined ? {} : { input }) }).stdout.trim();
  if (method === 'POST' && rest === '/git/blobs')
    return [
      201,
      { sha: git(['hash-object', '-w', '--stdin'], Buffer.from(given['content'] as string, 'base64')) },
    ];
  if (method === 'POST' && rest === '/git/trees') {
    const env = { GIT_INDEX_FILE: 'index-of-api' };
    git(['read-tree', given['base_tree'] as string], undefined, env);
    for (const { path, mode, sha } of given['tree'] as TreeItem[])
      git(
        sha === null
          ? ['update-index', '--force-remove', path]
          : ['update-index', '--add', '--cacheinfo', `${mode},${sha},${path}`],
        undefined,
        env,
      );
    return [201, { sha: git(['write-tree'], undefined, env) }];
  }
  if (method === 'POST' && rest === '/git/commits') {
    const name = { GIT_AUTHOR_NAME: 'github-actions[bot]', GIT_AUTHOR_EMAIL: 'actions@github.com' };
    const env = { ...name, GIT_COMMITTER_NAME: 'GitHub', GIT_COMMITTER_EMAIL: 'noreply@github.com' };
    const parents = (given['parents'] as string[]).flatMap((parent) => ['-p', parent]);
    const args = ['commit-tree', given['tree'] as string, ...parents, '-m', given['message'] as string];
    return [201, { sha: git(args, undefined, env) }];
  }
  const sha = given['sha'] as string;
  if (method === 'POST' && rest === '/git/refs') {
    git(['update-ref', given['ref'] as string, sha, '']);
    return [201, { ref: given['ref'], object: { sha, type: 'commit' } }];
  }
  const ref = /^\/git\/refs\/(.+)$/.exec(rest)?.[1];
  if (method !== 'PATCH' || ref === undefined) return undefined;
  git(['update-ref', `refs/${ref}`, sha]);
  return [200, { ref: `refs/${ref}`, object: { sha, type: 'commit' } }];
}
