import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import type { RemoteDesk } from '../../platform/git/remote.ts';

/** Files of a branch of the remote that has a history of its own. */
export interface BranchFiles {
  /** Commit; undefined: there is no such branch yet. */
  readonly tip: string | undefined;
  /** A file's content; undefined where it is not there. Throws RalphError `state_damaged` where it is longer than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** Writes these folders and files into a folder, links as plain files. */
  export(paths: readonly string[], folder: string): Promise<void>;
}

/** Contents by path, relative to the branch's top. */
export type BranchEdits = ReadonlyMap<string, Buffer>;

export interface BranchStore {
  open(): Promise<BranchFiles>;
  /**
   * Writes on top of what is there now: `edit` sees it and says what changes; nothing leaves all as it is. Where somebody else was faster it is asked
   * again, five times at most. Throws RalphError `conflict` where they always were.
   */
  update(message: string, edit: (files: BranchFiles) => Promise<BranchEdits>): Promise<void>;
}

const MOST_ROUNDS = 5;
const AUTHOR = ['-c', 'user.name=ralph', '-c', 'user.email=ralph@localhost', '-c', 'commit.gpgSign=false'];

/** The branch `branch` as a store of files: it begins without a parent and shares nothing with the code. */
export function createBranchStore(desk: RemoteDesk, branch: string): BranchStore {
  const open = async (): Promise<BranchFiles> => {
    const tip = await desk.tipOf(branch);
    if (tip === undefined) return { tip, read: async () => undefined, export: async () => {} };
    // Another one may have been pushed since: what is read is what the next push builds on.
    const fetched = await desk.fetch(branch);
    return filesAt(desk, fetched);
  };
  return {
    open,
    async update(message, edit) {
      for (let round = 1; round <= MOST_ROUNDS; round++) {
        const files = await open();
        const edits = await edit(files);
        if (edits.size === 0) return;
        const commit = await commitOn(desk, { files, message, edits });
        if (commit === files.tip || (await desk.push({ commit, branch, from: files.tip }))) return;
      }
      throw new RalphError(`The branch ${branch} was changed by others ${MOST_ROUNDS} times in a row.`, {
        code: 'conflict',
        exitCode: ExitCode.workspace,
        hint: 'Run it again.',
      });
    },
  };
}

function filesAt(desk: RemoteDesk, tip: string): BranchFiles {
  return {
    tip,
    async read(path, maxBytes) {
      const size = await desk.run(['cat-file', '-s', `${tip}:${path}`]);
      if (size.exitCode !== 0) return undefined;
      if (Number(size.stdout.toString('latin1')) > maxBytes) throw tooLarge(path, maxBytes);
      return desk.git(['cat-file', 'blob', `${tip}:${path}`]);
    },
    async export(paths, folder) {
      mkdirSync(folder, { recursive: true });
      const there = [];
      for (const path of paths) {
        if ((await desk.run(['cat-file', '-e', `${tip}:${path}`])).exitCode === 0) there.push(path);
      }
      if (there.length === 0) return;
      const indexFile = join(desk.gitDir, 'index-export');
      await desk.git(['read-tree', tip], { indexFile });
      await desk.git(['checkout', '--quiet', '--force', tip, '--', ...there], {
        indexFile,
        workTree: folder,
      });
    },
  };
}

async function commitOn(
  desk: RemoteDesk,
  {
    files,
    message,
    edits,
  }: { readonly files: BranchFiles; readonly message: string; readonly edits: BranchEdits },
): Promise<string> {
  const indexFile = join(desk.gitDir, 'index-store');
  await desk.git(files.tip === undefined ? ['read-tree', '--empty'] : ['read-tree', files.tip], {
    indexFile,
  });
  const lines: string[] = [];
  for (const [path, content] of edits) {
    const id = textOf(await desk.git(['hash-object', '-w', '--stdin'], { input: content }));
    lines.push(`100644 ${id}\t${path}\0`);
  }
  await desk.git(['update-index', '-z', '--index-info'], { indexFile, input: lines.join('') });
  const tree = textOf(await desk.git(['write-tree'], { indexFile }));
  if (files.tip !== undefined && textOf(await desk.git(['rev-parse', `${files.tip}^{tree}`])) === tree)
    return files.tip;
  const parent = files.tip === undefined ? [] : ['-p', files.tip];
  // Two that write the same at the same moment would make the same commit, and both believe it theirs.
  const unique = `${message}\n\nRalph-Write: ${randomUUID()}`;
  return textOf(await desk.git([...AUTHOR, 'commit-tree', tree, ...parent, '-m', unique]));
}

function tooLarge(path: string, maxBytes: number): RalphError {
  return new RalphError(`${path} of the branch has more than ${maxBytes} bytes.`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'Put an earlier commit of the branch back, or delete the branch to begin anew.',
  });
}

function textOf(output: Buffer): string {
  return output.toString('latin1').trim();
}
