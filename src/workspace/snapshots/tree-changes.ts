import { isUtf8 } from 'node:buffer';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import type { ChangeSet, FileChange, TreeId } from '../../ports/tree.ts';
import { git, splitNul, type GitRequest } from '../../platform/git/git.ts';
import { placeOfEdit, type EditPlace } from '../../platform/git/edit-place.ts';
import { parseHunks } from '../../platform/text/patch-hunks.ts';
import { readBlobs } from './blobs.ts';

/** A file in a tree. */
export interface TreeEntry {
  /** Octal, as git writes it: 100644, 100755, 120000 (symbolic link), 160000 (nested repository). */
  readonly mode: string;
  /** Object id of its content. */
  readonly id: string;
}

/** One path that differs between two trees. */
export interface EntryChange {
  /** Relative to the root; bytes, because it need not be valid UTF-8. */
  readonly path: Buffer;
  /** Absent for an added file. */
  readonly before?: TreeEntry;
  /** Absent for a deleted file. */
  readonly after?: TreeEntry;
}

/** Mode of a nested repository. */
export const NESTED_REPOSITORY = '160000';
/** Mode of a symbolic link. */
export const SYMBOLIC_LINK = '120000';

const COLON = 0x3a;
const RECORD = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;

/** The difference of two trees: entries by mode and id, and a change set whose patch `git apply` accepts. */
export interface TreeDifference {
  readonly entries: readonly EntryChange[];
  readonly changes: ChangeSet;
}

/** The difference of two trees by one git call, whose output is raw records, line counts, an empty item and the patch. */
export async function treeDifference(from: TreeId, to: TreeId, own: GitRequest): Promise<TreeDifference> {
  if (from === to) return NO_DIFFERENCE;
  const output = await diffTree([...ALL_FORMATS, ...PATCH], [from, to], own);
  if (output.length === 0) return NO_DIFFERENCE;
  const end = output.indexOf(Buffer.of(0, 0));
  const items = splitNul(output.subarray(0, end + 1));
  const entries = parseRaw(items);
  const lines = parseNumstat(items.slice(entries.length * 2));
  const files = entries.map((entry) => toFileChange(entry, lines));
  const patch = await textPatch(output.subarray(end + 2), [from, to], own);
  const place = await placeIn(patch, entries, own);
  const changes = {
    files,
    linesAdded: files.reduce((sum, file) => sum + file.linesAdded, 0),
    linesDeleted: files.reduce((sum, file) => sum + file.linesDeleted, 0),
    patch,
    ...(place && { place }),
  };
  return { entries, changes };
}

/** The place of the only change of the only changed file. */
async function placeIn(
  patch: string,
  entries: readonly EntryChange[],
  own: GitRequest,
): Promise<EditPlace | undefined> {
  const [entry] = entries;
  const { gitDir } = own;
  if (entry === undefined || entries.length > 1 || gitDir === undefined) return undefined;
  const hunks = parseHunks(patch);
  if (hunks.length !== 1 || !hunks[0]!.isOneChange) return undefined;
  const { before } = entry;
  const content =
    before === undefined ? '' : (await readBlobs([before.id], { ...own, gitDir })).get(before.id);
  return content === undefined ? undefined : placeOfEdit(patch, content.toString().split('\n'));
}

const NO_DIFFERENCE: TreeDifference = {
  entries: [],
  changes: { files: [], linesAdded: 0, linesDeleted: 0, patch: '' },
};
const ALL_FORMATS = ['--raw', '--numstat', '--patch', '-z', '--abbrev=64'];
const PATCH = ['--binary', '--full-index', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

/**
 * The patch as text. What is no UTF-8, such as a source in Latin-1, stands in it as a binary patch: read as UTF-8, its lines
 * would fit no file.
 */
async function textPatch(patch: Buffer, trees: readonly [TreeId, TreeId], own: GitRequest): Promise<string> {
  const { gitDir } = own;
  if (isUtf8(patch) || gitDir === undefined) return patch.toString('utf8');
  const binaryDir = makeTemporaryFolder('binary');
  try {
    beside(gitDir, binaryDir, own.alsoReads);
    const binary = partsOf(await diffTree(['--patch', ...PATCH], trees, { ...own, gitDir: binaryDir }));
    return partsOf(patch)
      .map((part, at) => (isUtf8(part) ? part : (binary[at] ?? part)).toString('utf8'))
      .join('');
  } finally {
    removeTemporaryFolder(binaryDir);
  }
}

/** Makes a git directory with the objects of another one, in which every file is binary. */
function beside(gitDir: string, made: string, alsoReads: string | undefined): void {
  for (const folder of ['info', 'refs', 'objects/info']) mkdirSync(join(made, folder), { recursive: true });
  for (const file of ['HEAD', 'config']) copyFileSync(join(gitDir, file), join(made, file));
  const stores = [join(gitDir, 'objects'), ...(alsoReads === undefined ? [] : [alsoReads])];
  writeFileSync(join(made, 'objects', 'info', 'alternates'), stores.map((it) => `${it}\n`).join(''));
  writeFileSync(join(made, 'info', 'attributes'), '* -diff\n');
}

/** The parts of a patch, one for each pair of files; no line of content begins like the first line of a part. */
function partsOf(patch: Buffer): Buffer[] {
  const starts = [0];
  for (let at = patch.indexOf(NEXT_PART); at !== -1; at = patch.indexOf(NEXT_PART, at + 1))
    starts.push(at + 1);
  return starts.map((start, at) => patch.subarray(start, starts[at + 1]));
}

const NEXT_PART = '\ndiff --git ';

async function diffTree(
  format: readonly string[],
  [from, to]: readonly [TreeId, TreeId],
  own: GitRequest,
): Promise<Buffer> {
  const plain = ['--no-renames', '--no-ext-diff', '--no-textconv'];
  return git(['diff-tree', '-r', ...plain, ...format, from, to], own);
}

/** Parses alternating records and paths, up to the first item that is not a record (git-diff(1), "Raw output format"). */
function parseRaw(items: readonly Buffer[]): EntryChange[] {
  const changes: EntryChange[] = [];
  for (let at = 0; at + 1 < items.length && items[at]![0] === COLON; at += 2) {
    const [, oldMode, newMode, oldId, newId] = RECORD.exec(items[at]!.toString('latin1'))!;
    changes.push({
      path: items[at + 1]!,
      before: toEntry(oldMode!, oldId!),
      after: toEntry(newMode!, newId!),
    });
  }
  return changes;
}

function toEntry(mode: string, id: string): TreeEntry | undefined {
  return /^0+$/.test(mode) ? undefined : { mode, id };
}

type LineCounts = ReadonlyMap<string, readonly [added: number, deleted: number]>;

/** Parses records `<added>\t<deleted>\t<path>`; a binary file has `-` for both and counts as no lines. */
function parseNumstat(items: readonly Buffer[]): LineCounts {
  const records = items.map((item) => item.toString('latin1').split('\t'));
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
