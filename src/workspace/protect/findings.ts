import { posix } from 'node:path';
import type { Tampering } from '../../schema/generated.ts';
import type { TreeEdit } from '../snapshots/snapshots.ts';
import { SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';
import type { GuardOptions } from './guard-options.ts';
import { repairManifest } from './manifest.ts';
import { LOCK_FILES, type ProtectionRules } from './protected-paths.ts';

/** One forbidden change: the edit that undoes it, and its description. */
export interface Finding {
  readonly edit: TreeEdit;
  readonly tampering: Tampering;
}

/** Puts a protected file back as it was. */
export function restored({ path, before, after }: EntryChange): Finding {
  const what = after === undefined ? 'was deleted' : verbOf(before!.mode, after.mode);
  return {
    edit: { path, entry: before! },
    tampering: tampering(
      after === undefined ? 'protected_deleted' : 'protected_edited',
      path,
      isPackaging(path)
        ? `${what}, so that the package would deliver other files; it was restored. --allow permits it.`
        : `${what}, but the verdict depends on it; it was restored.`,
    ),
  };
}

/** A list of files that the package leaves out. */
function isPackaging(path: Buffer): boolean {
  return posix.basename(path.toString('utf8')) === '.npmignore';
}

function verbOf(before: string, after: string): string {
  if (after === SYMBOLIC_LINK && before !== SYMBOLIC_LINK) return 'was replaced by a symbolic link';
  return 'was edited';
}

/** Removes a new file. */
export function refuseNew({ path }: EntryChange): Finding {
  const would = isPackaging(path) ? 'what the package delivers' : 'how the checks run';
  const detail = `was added and would change ${would}; it was removed. --allow permits it.`;
  return { edit: { path }, tampering: tampering('protected_added', path, detail) };
}

/** The lock files that a package.json in this folder may belong to: there, and in the folders above. */
function lockFilesFor(folder: string): string[] {
  const own = LOCK_FILES.map((name) => posix.join(folder, name));
  return folder === '.' ? own : [...own, ...lockFilesFor(posix.dirname(folder))];
}

/** Puts the protected keys of a package.json back; false if they are as they were. */
export async function checkManifest(
  change: EntryChange,
  rules: ProtectionRules,
  { snapshots, workspace, mayAddPackages = false }: GuardOptions,
): Promise<Finding | false> {
  const { path, before, after } = change;
  const contents = await snapshots.readBlobs([before!.id, after!.id]);
  const textOf = (id: string): string => contents.get(id)?.toString('utf8') ?? '';
  const files = new Set((await snapshots.listFiles(workspace.base)).map((file) => file.path));
  const folder = posix.dirname(path.toString('utf8'));
  const isThere = (file: string): boolean => files.has(posix.join(folder, file));
  const isLocked = lockFilesFor(folder).some((lock) => files.has(lock) && rules.existing(lock) !== 'free');
  const repair = repairManifest(textOf(before!.id), textOf(after!.id), {
    ...{ isThere, isLocked, mayAddPackages },
  });
  if (repair === null) return false;
  const id = await snapshots.writeBlob(Buffer.from(repair.text));
  const keys = repair.keys.join(', ');
  return {
    edit: { path, entry: { mode: after!.mode, id } },
    tampering: tampering(
      'manifest_edited',
      path,
      `had ${keys} changed; the base's values were restored. --allow permits it.`,
    ),
  };
}

/** What happened to a file, as a sentence that begins with its path. */
export function tampering(kind: Tampering['kind'], path: Buffer, what: string): Tampering {
  const file = path.toString('utf8').slice(0, 4096);
  return { kind, file, detail: `${file.slice(0, 1000)} ${what}`.slice(0, 2000) };
}
