import type { ChangeSet, FileChange, TreeId } from '../ports.ts';
import { git, splitNul, type GitRequest } from './git.ts';

/** A file as a tree has it. */
export interface TreeEntry {
  /** Octal, as git writes it: 100644, 100755, 120000 (symbolic link), 160000 (nested repository). */
  readonly mode: string;
  /** Object of its content. */
  readonly id: string;
}

/** One path that two trees have differently. */
export interface EntryChange {
  /** Relative to the root; bytes, because it need not be valid UTF-8. */
  readonly path: Buffer;
  /** Absent: added. */
  readonly before?: TreeEntry;
  /** Absent: deleted. */
  readonly after?: TreeEntry;
}

export const NESTED_REPOSITORY = '160000';
export const SYMBOLIC_LINK = '120000';

const RECORD = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;

/** Every path that differs, from `git diff-tree --raw -z` (git-diff(1), "Raw output format"). */
export async function entryChanges(from: TreeId, to: TreeId, own: GitRequest): Promise<EntryChange[]> {
  if (from === to) return [];
  const items = splitNul(await diffTree(['--raw', '-z', '--abbrev=64'], [from, to], own));
  const changes: EntryChange[] = [];
  for (let at = 0; at + 1 < items.length; at += 2) {
    const [, oldMode, newMode, oldId, newId] = RECORD.exec(items[at]!.toString('latin1'))!;
    const before = toEntry(oldMode!, oldId!);
    const after = toEntry(newMode!, newId!);
    changes.push({ path: items[at + 1]!, ...(before && { before }), ...(after && { after }) });
  }
  return changes;
}

/** The difference of two trees for people: files, lines, and a unified diff that `git apply` takes. */
export async function changeSet(from: TreeId, to: TreeId, own: GitRequest): Promise<ChangeSet> {
  const entries = await entryChanges(from, to, own);
  if (entries.length === 0) return { files: [], linesAdded: 0, linesDeleted: 0, patch: '' };
  const trees = [from, to] as const;
  const [counts, patch] = await Promise.all([
    diffTree(['--numstat', '-z'], trees, own),
    diffTree(
      ['--patch', '--binary', '--full-index', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'],
      trees,
      own,
    ),
  ]);
  const lines = parseNumstat(counts);
  const files = entries.map((entry) => toFileChange(entry, lines));
  return {
    files,
    linesAdded: files.reduce((sum, file) => sum + file.linesAdded, 0),
    linesDeleted: files.reduce((sum, file) => sum + file.linesDeleted, 0),
    patch: patch.toString('utf8'),
  };
}

async function diffTree(
  format: readonly string[],
  [from, to]: readonly [TreeId, TreeId],
  own: GitRequest,
): Promise<Buffer> {
  const plain = ['--no-renames', '--no-ext-diff', '--no-textconv'];
  return git(['diff-tree', '-r', ...plain, ...format, from, to], own);
}

function toEntry(mode: string, id: string): TreeEntry | undefined {
  return /^0+$/.test(mode) ? undefined : { mode, id };
}

type LineCounts = ReadonlyMap<string, readonly [added: number, deleted: number]>;

/** Records `<added>\t<deleted>\t<path>`; a binary file has `-` for both and counts as no lines. */
function parseNumstat(output: Buffer): LineCounts {
  const records = splitNul(output).map((item) => item.toString('latin1').split('\t'));
  return new Map(
    records.map(([added, deleted, ...path]) => [
      path.join('\t'),
      [Number(added) || 0, Number(deleted) || 0] as const,
    ]),
  );
}

function toFileChange({ path, before, after }: EntryChange, lines: LineCounts): FileChange {
  const [linesAdded, linesDeleted] = lines.get(path.toString('latin1')) ?? [0, 0];
  const kind = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
  return { path: path.toString('utf8'), kind, linesAdded, linesDeleted };
}
