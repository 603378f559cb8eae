import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git, splitNul } from '../../../src/platform/git/git.ts';
import { commitAsFirst, IDENTITY, linkInstalled, writeCommit } from '../plain-repository.ts';
import { sourcesAt, type FixCommit } from './history.ts';

/** A repository of its own with the bug that a commit fixed. */
export interface RebuiltBug {
  /** Absolute path. */
  readonly root: string;
  /** Writes the source files as of the fix. */
  applyFix(): Promise<void>;
  /** Writes the source files as of the fix's parent. */
  removeFix(): Promise<void>;
  /** Replaces the `test` script in package.json and amends the commit. */
  replaceTestScript(command: string): Promise<void>;
  /** Changes of the tree since the commit: files relative to the root, and a unified diff. */
  changes(): Promise<{ readonly files: readonly string[]; readonly patch: string }>;
}

/**
 * Creates a repository in `root` (absolute, empty) with one commit: all files as of the fix, except that source files are
 * as of its parent. It has no history, so that the fix cannot be found in it; dependencies are links to the clone's.
 */
export async function rebuildBug(commit: FixCommit, root: string): Promise<RebuiltBug> {
  const { clone, id, parent } = commit;
  const files = await writeCommit(clone, id, root);
  const [before, after] = await Promise.all([sourcesAt(commit, parent), sourcesAt(commit, id)]);
  await writeSources(root, before);
  await commitAsFirst(root, 'The bug');
  linkInstalled(clone, root, files);
  return {
    root,
    applyFix: () => writeSources(root, after),
    removeFix: () => writeSources(root, before),
    async replaceTestScript(command) {
      const file = join(root, 'package.json');
      const manifest = JSON.parse(await readFile(file, 'utf8')) as { scripts?: object };
      const scripts = { ...manifest.scripts, test: command };
      await writeFile(file, `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`);
      await git([...IDENTITY, 'commit', '--all', '--amend', '--quiet', '--no-edit'], { cwd: root });
    },
    async changes() {
      const diff = ['diff', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'];
      const files = splitNul(await git([...diff, '--name-only', '-z', 'HEAD'], { cwd: root }));
      const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
      const patch = await git([...diff, ...prefixes, 'HEAD'], { cwd: root });
      return { files: files.map((path) => path.toString('utf8')), patch: patch.toString('utf8') };
    },
  };
}

async function writeSources(root: string, contents: ReadonlyMap<string, Buffer | undefined>): Promise<void> {
  for (const [path, content] of contents) {
    const target = join(root, path);
    if (content === undefined) await rm(target, { force: true });
    else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
  }
}
