import { readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { statOf } from '../../platform/files/real-paths.ts';
import { splitNul } from '../../platform/git/git.ts';
import type { Tampering } from '../../schema/generated.ts';
import type { EntryChange } from '../snapshots/tree-changes.ts';
import { tampering } from './findings.ts';
import type { GuardOptions } from './guard-options.ts';
import type { ProtectionRules } from './protected-paths.ts';

/** Removes new configuration that an ignore rule keeps out of the trees. */
export async function removeHidden(
  changes: readonly EntryChange[],
  rules: ProtectionRules,
  { snapshots, workspace }: GuardOptions,
): Promise<Tampering[]> {
  const { root } = workspace;
  if (workspace.carried === undefined) return [];
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const ignored = splitNul(await snapshots.run(root, args)).map((path) => path.toString('utf8'));
  const hasNewRules = changes.some(({ path }) => posix.basename(path.toString('utf8')) === '.gitignore');
  const carried = new Set(workspace.carried);
  const hidden = ignored
    .flatMap((path) => (path.endsWith('/') ? (hasNewRules ? filesIn(root, path) : []) : [path]))
    .filter((path) => !carried.has(path) && rules.refusesNew(path));
  return hidden.map((path) => {
    rmSync(join(root, path), { force: true });
    const detail = 'is ignored by git, was added and would change how the checks run; it was removed.';
    return tampering('protected_added', Buffer.from(path), detail);
  });
}

function filesIn(root: string, folder: string): string[] {
  if (posix.basename(folder) === 'node_modules' || !isFolder(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}
