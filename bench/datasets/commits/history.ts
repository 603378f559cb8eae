import { isEditableSource } from '../../../src/repair/syntax/source-files.ts';
import { git, runGit, splitNul } from '../../../src/platform/git/git.ts';

/** A commit of a local clone that fixes a bug. */
export interface FixCommit {
  /** Absolute path of the clone. */
  readonly clone: string;
  /** Full ids of the commit and of its first parent. */
  readonly id: string;
  readonly parent: string;
  /** First line of its message. */
  readonly subject: string;
  /** Source files that it changes, added and deleted ones included, relative to the root. */
  readonly sources: readonly string[];
}

/** Reads a commit. Returns a sentence with the reason if its bug cannot be rebuilt. */
export async function readFixCommit(clone: string, name: string): Promise<FixCommit | string> {
  const id = await commitId(clone, name);
  if (id === undefined) return `${clone} has no commit ${name}.`;
  const parent = await commitId(clone, `${id}^1`);
  if (parent === undefined) return 'The commit has no parent.';
  const changed = splitNul(
    await git(['diff-tree', '-r', '--no-renames', '--name-only', '-z', parent, id], { cwd: clone }),
  );
  const sources = changed.map((path) => path.toString('utf8')).filter(isEditableSource);
  if (sources.length === 0) return 'The commit changes no source file.';
  const subject = (await git(['log', '-1', '--format=%s', id], { cwd: clone })).toString('utf8').trim();
  return { clone, id, parent, subject, sources };
}

async function commitId(clone: string, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { exitCode, stdout } = await runGit(args, { cwd: clone });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** Contents of the fix's source files at a commit, by path; undefined for a file that the commit lacks. */
export async function sourcesAt(
  { clone, sources }: FixCommit,
  commit: string,
): Promise<ReadonlyMap<string, Buffer | undefined>> {
  const contents = sources.map(async (path) => {
    const { exitCode, stdout } = await runGit(['cat-file', 'blob', `${commit}:${path}`], { cwd: clone });
    return [path, exitCode === 0 ? stdout : undefined] as const;
  });
  return new Map(await Promise.all(contents));
}

/** The developer's change of the source files as a unified diff. */
export async function developerPatch({ clone, parent, id, sources }: FixCommit): Promise<string> {
  const plain = [
    '--no-renames',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ];
  const paths = sources.map((path) => `:(literal)${path}`);
  const output = await git(['diff', ...plain, parent, id, '--', ...paths], { cwd: clone });
  return output.toString('utf8');
}
