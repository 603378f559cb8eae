import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import type { RemoteDesk } from '../../platform/git/remote.ts';

/** Files of a branch of the remote, at one commit. */
export interface BranchFiles {
  /** Commit; undefined if the branch does not exist yet. */
  readonly tip: string | undefined;
  /** Content of a file; undefined if it does not exist. Throws RalphError `state_damaged` if it is longer than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** Writes the given folders and files into a folder, links as plain files. Missing ones are skipped. */
  export(paths: readonly string[], folder: string): Promise<void>;
}

/** New contents by path, relative to the branch's root. */
export type BranchEdits = ReadonlyMap<string, Buffer>;

/** A branch of the remote as a store of files. */
export interface BranchStore {
  open(): Promise<BranchFiles>;
  /**
   * Commits edits on top of the branch and pushes. `edit` gets the present files; an empty map means no commit. If another
   * push came first, `edit` is called again, up to five times; then throws RalphError `conflict`.
   */
  update(message: string, edit: (files: BranchFiles) => Promise<BranchEdits>): Promise<void>;
}

const MOST_ROUNDS = 5;
const AUTHOR = ['-c', 'user.name=ralph', '-c', 'user.email=ralph@localhost', '-c', 'commit.gpgSign=false'];

/** Opens `branch` as a store of files. Its first commit has no parent, so that it shares no history with the code. */
export function createBranchStore(desk: RemoteDesk, branch: string): BranchStore {
  let known: BranchFiles | undefined;
  const open = async (): Promise<BranchFiles> => {
    const tip = await desk.tipOf(branch);
    if (tip === undefined) return { tip, read: async () => undefined, export: async () => {} };
    if (tip === known?.tip) return known;
    // A newer commit may have been pushed since; the fetched one is what the next push builds on.
    return (known = filesAt(desk, await desk.fetch(branch)));
  };
  return {
    open,
    async update(message, edit) {
      for (let round = 1; round <= MOST_ROUNDS; round++) {
        const files = await open();
        const edits = await edit(files);
        if (edits.size === 0) return;
        const commit = await commitOn(desk, { files, message, edits });
        if (commit === files.tip) return;
        if (!(await desk.push({ commit, branch, from: files.tip }))) continue;
        known = filesAt(desk, commit);
        return;
      }
      await refuseBelowBranch(desk, branch);
      throw new RalphError(`The branch ${branch} was changed by others ${MOST_ROUNDS} times in a row.`, {
        code: 'conflict',
        exitCode: ExitCode.workspace,
        hint: 'Run it again.',
      });
    },
  };
}

/** Git has no branch below another: beside a branch `ralph` there is no `ralph/memory`. Throws RalphError for that. */
async function refuseBelowBranch(desk: RemoteDesk, branch: string): Promise<void> {
  const parts = branch.split('/').slice(0, -1);
  for (const above of parts.map((_, at) => parts.slice(0, at + 1).join('/'))) {
    if ((await desk.tipOf(above)) === undefined) continue;
    throw new RalphError(`The branch ${branch} cannot be made, because there is a branch ${above}.`, {
      code: 'conflict',
      exitCode: ExitCode.workspace,
      hint: `Rename or delete the branch ${above}.`,
    });
  }
}

function filesAt(desk: RemoteDesk, tip: string): BranchFiles {
  const contents = new Map<string, Promise<Buffer | undefined>>();
  const contentOf = async (path: string, maxBytes: number): Promise<Buffer | undefined> => {
    const size = await desk.run(['cat-file', '-s', `${tip}:${path}`]);
    if (size.exitCode !== 0) return undefined;
    if (Number(size.stdout.toString('latin1')) > maxBytes) throw tooLarge(path, maxBytes);
    return desk.git(['cat-file', 'blob', `${tip}:${path}`]);
  };
  return {
    tip,
    read(path, maxBytes) {
      const content = contents.get(path) ?? contentOf(path, maxBytes);
      contents.set(path, content);
      return content;
    },
    async export(paths, folder) {
      mkdirSync(folder, { recursive: true });
      const existing = [];
      for (const path of paths) {
        if ((await desk.run(['cat-file', '-e', `${tip}:${path}`])).exitCode === 0) existing.push(path);
      }
      if (existing.length === 0) return;
      const indexFile = join(desk.gitDir, 'index-export');
      await desk.git(['read-tree', tip], { indexFile });
      await desk.git(['checkout', '--quiet', '--force', tip, '--', ...existing], {
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
  // Without it, two jobs that write the same content at the same time would create the same commit.
  const unique = `${message}\n\nRalph-Write: ${randomUUID()}`;
  return textOf(await desk.git([...AUTHOR, 'commit-tree', tree, ...parent, '-m', unique]));
}

function tooLarge(path: string, maxBytes: number): RalphError {
  return new RalphError(`${path} of the branch has more than ${maxBytes} bytes.`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'Restore an earlier commit of the branch, or delete the branch to start again.',
  });
}

function textOf(output: Buffer): string {
  return output.toString('latin1').trim();
}
