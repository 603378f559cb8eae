import type { Call } from './call.ts';
import type { RepositoryName } from './repository-name.ts';

/** A file of a commit. */
export interface CommitFile {
  readonly path: string;
  /** `100644` or `100755`; ignored for a file that is removed. */
  readonly mode: string;
  /** Undefined: the file is removed. */
  readonly content: Buffer | undefined;
}

/** Commits that GitHub makes, and signs if the token is that of Actions or of an App. */
export interface SignedCommits {
  /**
   * Makes a commit on top of `parent` and returns its id; no branch points to it yet. `tree` is the id that the tree must
   * have. Undefined if GitHub made another tree. Throws RalphError `github_failed`.
   */
  commit(request: {
    readonly parent: string;
    readonly tree: string;
    readonly message: string;
    readonly files: readonly CommitFile[];
  }): Promise<string | undefined>;
  /** Makes a branch point to a commit that GitHub has. */
  setBranch(branch: string, commit: string, exists: boolean): Promise<void>;
}

/** Creates the calls that make commits in one repository. */
export function createSignedCommits(call: Call, { owner, name: repo }: RepositoryName): SignedCommits {
  const write = async (route: 'blobs' | 'trees' | 'commits', parameters: object): Promise<string> => {
    const { data } = await call(`POST /repos/{owner}/{repo}/git/${route}`, { owner, repo, ...parameters });
    return (data as { readonly sha: string }).sha;
  };
  return {
    async commit({ parent, tree, message, files }) {
      const entries = [];
      for (const { path, mode, content } of files) {
        const blob = content && { content: content.toString('base64'), encoding: 'base64' };
        entries.push({
          ...{ path, mode: content === undefined ? '100644' : mode, type: 'blob' },
          sha: blob === undefined ? null : await write('blobs', blob),
        });
      }
      const made = await write('trees', { base_tree: parent, tree: entries });
      return made === tree ? write('commits', { message, tree: made, parents: [parent] }) : undefined;
    },
    async setBranch(branch, commit, exists) {
      if (!exists) {
        await call('POST /repos/{owner}/{repo}/git/refs', {
          ...{ owner, repo, ref: `refs/heads/${branch}`, sha: commit },
        });
        return;
      }
      await call('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
        ...{ owner, repo, ref: `heads/${branch}`, sha: commit, force: true },
      });
    },
  };
}
