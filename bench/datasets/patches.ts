import { runGit, git } from '../../src/platform/git/git.ts';

const PLAIN = [
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--binary',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Everything in a work tree that differs from its last commit, new files included, as a unified diff. */
export async function workTreePatch(root: string): Promise<string> {
  await git(['add', '--all'], { cwd: root });
  const output = await git(['diff', ...PLAIN, '--cached', 'HEAD', '--', '.', ':(exclude).aiwg'], {
    cwd: root,
  });
  return output.toString('utf8');
}

/** The difference of two commits in some paths as a unified diff; '' without paths. */
export async function commitPatch(
  clone: string,
  [from, to]: readonly [string, string],
  paths: readonly string[],
): Promise<string> {
  if (paths.length === 0) return '';
  const literal = paths.map((path) => `:(literal)${path}`);
  return (await git(['diff', ...PLAIN, from, to, '--', ...literal], { cwd: clone })).toString('utf8');
}

/** Applies a unified diff to a work tree, without the files in `except`. Returns git's message if it does not apply. */
export async function applyDiff(
  root: string,
  patch: string,
  except: readonly string[] = [],
): Promise<string | undefined> {
  if (patch.trim() === '') return undefined;
  const input = patch.endsWith('\n') ? patch : `${patch}\n`;
  const excluded = except.map((path) => `--exclude=${path.replace(/[\\*?[]/g, '\\$&')}`);
  const { exitCode, stderr } = await runGit(['apply', '--whitespace=nowarn', ...excluded, '-'], {
    cwd: root,
    input,
  });
  return exitCode === 0 ? undefined : stderr.trim().split('\n')[0];
}

/** Takes a diff back that was applied. Throws RalphError if git fails. */
export async function takeBack(root: string, patch: string): Promise<void> {
  await git(['apply', '--reverse', '--whitespace=nowarn', '-'], { cwd: root, input: patch });
}

/** Paths of the files that a unified diff of git changes, adds or deletes. */
export function filesOfPatch(patch: string): string[] {
  const paths = [...patch.matchAll(/^(?:---|\+\+\+) (?:"?[ab]\/)(.*?)"?\t?$/gm)].map((match) => match[1]!);
  return [...new Set(paths)];
}
