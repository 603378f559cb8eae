import { posix } from 'node:path';
import { NESTED_REPOSITORY, SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { foldersOf } from './base-facts.ts';
import { checkManifest, refuseNew, restored, type Finding } from './findings.ts';
import type { GuardOptions } from './guard-options.ts';
import type { ProtectionRules } from './protected-paths.ts';
import { mayBeLoaded, shadowsOf, twinsOfImported } from './shadows.ts';

/** The changes that are not allowed, each with the edit that takes it back. */
export async function findForbidden(
  changes: readonly EntryChange[],
  rules: ProtectionRules,
  { snapshots, workspace }: GuardOptions,
): Promise<Finding[]> {
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
        : await checkExisting(change, rules, { snapshots, workspace });
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
  { snapshots, workspace }: Pick<GuardOptions, 'snapshots' | 'workspace'>,
): Promise<Finding | false> {
  const { before, after } = change;
  const protection = rules.existing(change.path.toString('utf8'));
  if (protection === 'free' || before?.mode === NESTED_REPOSITORY) return false;
  const isFile = after !== undefined && after.mode !== SYMBOLIC_LINK && before!.mode !== SYMBOLIC_LINK;
  if (protection === 'keys' && isFile) return checkManifest(change, rules, { snapshots, workspace });
  return protection === 'tests' && isFile && (await keepsTests(change, snapshots)) ? false : restored(change);
}

/** Whether a source with tests in it was edited beside them. */
async function keepsTests({ path, before, after }: EntryChange, snapshots: Snapshots): Promise<boolean> {
  const contents = await snapshots.readBlobs([before!.id, after!.id]);
  const [then, now] = [before!, after!].map(({ id }) => contents.get(id)?.toString('utf8') ?? '');
  if (!then!.includes('import.meta.vitest')) return false;
  // Imported here because it loads a parser, which most commands do not need.
  const { haveSameTests } = await import('./in-source-tests.ts');
  return haveSameTests(path.toString('utf8'), then!, now!);
}
