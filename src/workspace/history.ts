import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../platform/git/git.ts';
import { objectStores, renderAlternates } from './alternates.ts';
import { readUserConfig } from './user-config.ts';
import { readRemotes } from './remotes.ts';
import type { Repository } from './repository.ts';
import { textOf } from '../platform/files/text-of.ts';

/** The user's history for programs in a workspace. */
export interface History {
  /** Absolute paths of the user's object stores, which the workspace's git directory reads. */
  readonly objects: readonly string[];
  /**
   * Replaces the workspace's `.git` by a new one: the user's HEAD, branches, tags, index and remotes (without credentials,
   * and not to be pushed to), no hook and no other setting of the user or of an earlier program. Objects are read from the
   * user's stores and written beside them.
   */
  place(workspace: string): void;
}

const REFS = ['refs/heads', 'refs/tags', 'refs/remotes'];

/** Reads what the git directory of a workspace needs. Ralph itself never runs git with that directory. */
export async function readHistory(repository: Repository): Promise<History> {
  const { root, gitDir, commonDir } = repository;
  const [refs, settings, remotes] = await Promise.all([
    listRefs(root),
    readSettings(repository),
    readRemotes(repository),
  ]);
  const objects = objectStores(join(commonDir, 'objects'));
  const exclude = textOf(join(commonDir, 'info', 'exclude'));
  return {
    objects,
    place(workspace) {
      const at = join(workspace, '.git');
      rmSync(at, { recursive: true, force: true });
      for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks'])
        mkdirSync(join(at, folder), { recursive: true });
      const write = (name: string, text: string): void => writeFileSync(join(at, name), text);
      write(
        'HEAD',
        repository.branch === null ? `${repository.head}\n` : `ref: refs/heads/${repository.branch}\n`,
      );
      write('config', settings + remotes);
      write('packed-refs', refs);
      write('info/exclude', `${exclude}\n/.aiwg/ralph\n`);
      write('objects/info/alternates', renderAlternates(objects));
      copyIfThere(join(commonDir, 'shallow'), join(at, 'shallow'));
      for (const name of readdirSync(gitDir).filter((file) => /^(index|sharedindex\.[0-9a-f]+)$/.test(file)))
        copyFileSync(join(gitDir, name), join(at, name));
    },
  };
}

/** The content of `packed-refs`; empty if git fails. */
async function listRefs(root: string): Promise<string> {
  const { exitCode, stdout } = await runGit(['for-each-ref', '--format=%(objectname) %(refname)', ...REFS], {
    cwd: root,
  });
  return exitCode === 0 ? `# pack-refs with: sorted \n${stdout.toString('utf8')}` : '';
}

/** Settings by which git compares files with the index; none of them names a program. */
const KEPT =
  /^core\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode) (true|false|input|lf|crlf|native)$/;

async function readSettings(repository: Repository): Promise<string> {
  const lines = await readUserConfig(repository);
  const isSha256 = lines.includes('extensions.objectformat sha256');
  const kept = lines.flatMap((line) => {
    const [, name, value] = KEPT.exec(line) ?? [];
    return name === undefined ? [] : [`\t${name} = ${value}`];
  });
  const core = [`\trepositoryformatversion = ${isSha256 ? 1 : 0}`, '\tbare = false', ...kept];
  const extensions = isSha256 ? ['[extensions]', '\tobjectFormat = sha256'] : [];
  return ['[core]', ...core, '[gc]', '\tauto = 0', ...extensions, ''].join('\n');
}

function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to);
}
