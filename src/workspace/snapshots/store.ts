import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { homeFolder } from '../../platform/processes/own-user.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { git, runGit } from '../../platform/git/git.ts';
import { readUserConfig } from '../user-config.ts';
import type { Repository } from '../repository.ts';
import { copyCommittedObjects } from './copy-objects.ts';

/** Turns off every conversion of content that the work tree's .gitattributes may ask for. */
const ATTRIBUTES =
  '* -text -ident -filter !diff merge=text !eol !working-tree-encoding !conflict-marker-size\n';

/**
 * Never part of a snapshot, except files that the user tracks, which are added by name. Without a slash at the end, the
 * patterns match symbolic links too.
 */
const EXCLUDES = ['node_modules', '/.aiwg/ralph', '/.pnp.*', '/.yarn/cache', '/.yarn/unplugged', '.git'];

const INIT = ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', '--initial-branch=ralph'];

/**
 * Creates ralph's bare git directory, shared by all loops of the repository, and returns its absolute path. Its ignore
 * rules are the user's global ones and the repository's info/exclude. It does not share the user's objects: git would set
 * their times anew whenever ralph stores the same content. `removeStaleLocks` removes lock files that a killed process left.
 */
export async function openSnapshotStore(
  repository: Repository,
  options: { readonly removeStaleLocks: boolean },
): Promise<string> {
  const gitDir = ralphFolder(repository.root).snapshots();
  const intact = existsSync(join(gitDir, 'HEAD')) && existsSync(join(gitDir, 'objects'));
  const [excludes] = await Promise.all([
    globalExcludes(repository),
    intact ? undefined : git([...INIT, gitDir], { cwd: repository.root }),
  ]);
  if (!intact) await copyCommittedObjects(repository, gitDir);
  if (options.removeStaleLocks) removeStaleLocks(gitDir);
  const rules = [excludes, readIfThere(join(repository.commonDir, 'info', 'exclude')) ?? ''];
  writeIfOther(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
  writeIfOther(join(gitDir, 'info', 'exclude'), [...rules, ...EXCLUDES, ''].join('\n'));
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

function writeIfOther(path: string, text: string): void {
  if (readIfThere(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function globalExcludes(repository: Repository): Promise<string> {
  const { root } = repository;
  const settings = await readUserConfig(repository);
  const isSet = settings.some((line) => /^core\.excludesfile\b/i.test(line));
  const configured = isSet ? await configuredExcludes(root) : '';
  if (configured !== '') return readIfThere(resolve(root, configured)) ?? '';
  const base = process.env['XDG_CONFIG_HOME'] || join(homeFolder() ?? '/', '.config');
  return readIfThere(join(base, 'git', 'ignore')) ?? '';
}

/** As git itself reads the path, with the home folders in it; empty if it is not set. */
async function configuredExcludes(root: string): Promise<string> {
  const set = await runGit(['config', '--type=path', '--get', 'core.excludesFile'], { cwd: root });
  return set.exitCode === 0 ? set.stdout.toString('utf8').trim() : '';
}

function readIfThere(path: string): string | undefined {
  try {
    return readTreeTextSync(path);
  } catch {
    return undefined;
  }
}
