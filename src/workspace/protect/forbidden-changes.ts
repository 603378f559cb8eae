import { posix } from 'node:path';
import { NESTED_REPOSITORY, SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { locksMoreOnly } from './added-packages.ts';
import { foldersOf } from './base-facts.ts';
import { checkManifest, refuseNew, restored, type Finding } from './findings.ts';
import type { GuardOptions } from './guard-options.ts';
import { LOCK_FILES, type Protection, type ProtectionRules } from './protected-paths.ts';
import { mayBeLoaded, shadowsOf, twinsOfImported } from './shadows.ts';

/** The changes that are not allowed, each with the edit that takes it back. */
export async function findForbidden(
  changes: readonly EntryChange[],
  rules: ProtectionRules,
  options: GuardOptions,
): Promise<Finding[]> {
  const { snapshots, workspace } = options;
  const hasNewManifest = changes.some(({ path, before }) => !before && isManifest(path.toString('utf8')));
  const folders = hasNewManifest ? foldersOf(await snapshots.listFiles(workspace.base)) : new Set();
  const findings: Finding[] = [];
  const isAdded = changes.some(({ path, before }) => !before && mayBeLoaded(path.toString('utf8')));
  const files = isAdded ? await snapshots.listFiles(workspace.base) : [];
  const guarded = files.map(({ path }) => path).filter((path) => rules.existing(path) === 'whole');
  const shadowsGuarded = shadowsOf(guarded);
  const gone = new Set(changes.filter(({ after }) => !after).map(({ path }) => path.toString('utf8')));
  const added = changes.filter(({ before }) => !before).map(({ path }) => path.toString('utf8'));
  const kept = files.map(({ path }) => path).filter((path) => !gone.has(path));
  const twins = isAdded ? await twinsOfImported({ added, kept }, workspace.base, snapshots) : [];
  for (const change of changes) {
    const path = change.path.toString('utf8');
    const shadows = isManifest(path) && folders.has(posix.dirname(path)) && rules.existing(path) !== 'free';
    const isTwin = shadowsGuarded(path) || twins.includes(path);
    const isRefused = shadows || rules.refusesNew(path) || (!rules.isAllowed(path) && isTwin);
    const finding =
      change.before === undefined
        ? isRefused && refuseNew(change)
        : await checkExisting(change, rules, options);
    if (finding) findings.push(finding);
  }
  return findings;
}

function isManifest(path: string): boolean {
  return posix.basename(path) === 'package.json';
}

async function checkExisting(
  change: EntryChange,
  rules: ProtectionRules,
  options: GuardOptions,
): Promise<Finding | false> {
  const { before, after } = change;
  const protection = rules.existing(change.path.toString('utf8'));
  if (protection === 'free' || before?.mode === NESTED_REPOSITORY) return false;
  const isFile = after !== undefined && after.mode !== SYMBOLIC_LINK && before!.mode !== SYMBOLIC_LINK;
  if (protection === 'keys' && isFile) return checkManifest(change, rules, options);
  if (isFile && (await isHarmless(change, protection, options))) return false;
  return restored(change);
}

/** Whether a file that may not be changed was changed in a way that is allowed nevertheless. */
async function isHarmless(
  change: EntryChange,
  protection: Protection,
  { snapshots, mayAddPackages = false }: GuardOptions,
): Promise<boolean> {
  if (protection === 'tests') return keepsTests(change, snapshots);
  const path = change.path.toString('utf8');
  if (!mayAddPackages || !LOCK_FILES.includes(posix.basename(path))) return false;
  return locksMoreOnly(path, ...(await textsOf(change, snapshots)));
}

/** Whether a source with tests in it was edited beside them. */
async function keepsTests(change: EntryChange, snapshots: Snapshots): Promise<boolean> {
  const [then, now] = await textsOf(change, snapshots);
  if (!then.includes('import.meta.vitest')) return false;
  // Imported here because it loads a parser, which most commands do not need.
  const { haveSameTests } = await import('./in-source-tests.ts');
  return haveSameTests(change.path.toString('utf8'), then, now);
}

async function textsOf(
  { before, after }: EntryChange,
  snapshots: Snapshots,
): Promise<[before: string, after: string]> {
  const contents = await snapshots.readBlobs([before!.id, after!.id]);
  const textOf = (id: string): string => contents.get(id)?.toString('utf8') ?? '';
  return [textOf(before!.id), textOf(after!.id)];
}
