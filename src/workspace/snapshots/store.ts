import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ralphPath } from '../../platform/ralph-folder.ts';
import { git, runGit } from '../../platform/git/git.ts';
import type { Repository } from '../repository.ts';

/** Content in and out byte for byte, whatever the work tree's .gitattributes say; text is diffed and merged as text. */
const ATTRIBUTES =
  '* -text -ident -filter !diff merge=text !eol !working-tree-encoding !conflict-marker-size\n';

/**
 * Never part of a snapshot. Without a slash at the end, so that a symbolic link of the name is meant as well;
 * what the user tracks of it nevertheless is added by name.
 */
const EXCLUDES = ['node_modules', '/.aiwg/ralph', '/.pnp.*', '/.yarn/cache', '/.yarn/unplugged', '.git'];

const INIT = ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', '--initial-branch=ralph'];

/**
 * Makes ralph's own bare git directory, shared by all loops of the repository, and gives its absolute path.
 * Locks that a killed process left in it are removed where the caller is alone in it. Its ignore rules are the
 * user's: global, and the repository's own info/exclude.
 */
export async function openSnapshotStore(repository: Repository, isAlone: boolean): Promise<string> {
  const gitDir = ralphPath(repository.root, 'snapshots.git');
  const intact = existsSync(join(gitDir, 'HEAD')) && existsSync(join(gitDir, 'objects'));
  const [excludes] = await Promise.all([
    globalExcludes(repository.root),
    intact ? undefined : git([...INIT, gitDir], { cwd: repository.root }),
  ]);
  if (isAlone) removeStaleLocks(gitDir);
  const rules = [excludes, readIfThere(join(repository.commonDir, 'info', 'exclude')) ?? ''];
  writeInfo(gitDir, 'attributes', ATTRIBUTES);
  writeInfo(gitDir, 'exclude', [...rules, ...EXCLUDES, ''].join('\n'));
  return gitDir;
}

function removeStaleLocks(gitDir: string): void {
  for (const name of readdirSync(gitDir)) {
    if (name.endsWith('.lock')) rmSync(join(gitDir, name), { force: true });
  }
  const refs = join(gitDir, 'refs');
  if (!existsSync(refs)) return;
  for (const name of readdirSync(refs, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.lock')) rmSync(join(refs, name), { force: true });
  }
}

function writeInfo(gitDir: string, name: string, text: string): void {
  const path = join(gitDir, 'info', name);
  if (readIfThere(path) === text) return;
  mkdirSync(join(gitDir, 'info'), { recursive: true });
  writeFileSync(path, text);
}

async function globalExcludes(root: string): Promise<string> {
  const set = await runGit(['config', '--type=path', '--get', 'core.excludesFile'], { cwd: root });
  const configured = set.stdout.toString('utf8').trim();
  if (set.exitCode === 0 && configured !== '') return readIfThere(resolve(root, configured)) ?? '';
  const base = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return readIfThere(join(base, 'git', 'ignore')) ?? '';
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
