import { readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Guard } from '../../ports.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Tampering } from '../../schema/generated.ts';
import { splitNul } from '../../platform/git/git.ts';
import { dependencyFolders } from '../dependencies/plan.ts';
import { checkManifest, refuseNew, restored, tampering, type Finding } from './findings.ts';
import { neededByTests } from './test-needs.ts';
import { createAudit, isCopy } from './audit.ts';
import { namedByConfiguration } from './configuration.ts';
import { namedByCommands, mayNotBeAdded, type Judges } from './judges.ts';
import { removeShadowing } from './dependencies.ts';
import { productInTestFolders } from './product-files.ts';
import { protectionRules, type ProtectionRules } from './protected-paths.ts';
import { mayBeLoaded, shadowsOf, twinsOfImported } from './shadows.ts';
import { statOf } from '../../platform/files/real-paths.ts';
import type { Snapshots, TreeFile } from '../snapshots/snapshots.ts';
import { NESTED_REPOSITORY, SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';

export interface GuardOptions {
  readonly snapshots: Snapshots;
  readonly workspace: GuardedWorkspace;
  /** The user's globs, in addition to the defaults. */
  readonly protect: readonly string[];
  /** Globs of files that the actor may change. */
  readonly allow: readonly string[];
  /** Returns the files from which a test was reported; called each time. */
  readonly testFiles?: () => readonly string[];
  /** Commands that judge the result: the files that they run are protected. */
  readonly judges?: Judges;
  /** Absolute path of the user's repository, to watch its installed packages; if absent, they are not watched. */
  readonly repository?: string;
  /** Installed packages must not have changed since this time, in milliseconds since the epoch. Default: now. */
  readonly watchedSince?: number | undefined;
  /** True if nothing that an attempt runs can write to the user's installed packages. */
  readonly isConfined?: boolean | undefined;
  /** Checks of the verdict; suppressions that affect none of them are ignored. */
  readonly checks?: readonly Pick<CheckPlan, 'name' | 'kind' | 'config'>[];
}

/** The part of a workspace that the guard uses. */
export interface GuardedWorkspace {
  readonly root: string;
  readonly base: TreeId;
  /** The user's ignored files in it. Absent for the user's own tree, from which no ignored file is removed. */
  readonly carried?: readonly string[];
  checkpoint(): Promise<TreeId>;
  repair?(): void;
}

/**
 * A guard that compares the workspace with its base. It restores protected files and keys of package.json, and removes new
 * configuration, ignored files included; new tests stay. It compares trees, so that a symbolic link in place of a protected
 * file or folder is undone too.
 */
export function createGuard(given: GuardOptions): Guard {
  const { snapshots, checks = [] } = given;
  const workspace = withOwnBase(given.workspace);
  const options = { ...given, workspace };
  let added: readonly string[] = [];
  let written: readonly string[] = [];
  let known: Promise<BaseFacts> | undefined;
  let examined: TreeId | undefined;
  const facts = (): Promise<BaseFacts> => (known ??= readBase(options));
  const rulesNow = async (): Promise<ProtectionRules> => {
    const { allow, testFiles } = options;
    const { named, product, refused } = await facts();
    const tested = testFiles?.() ?? [];
    const protect = [...given.protect, ...refused.map((path) => `/${path}`)];
    return protectionRules({ protect, allow, extra: [...named, ...added], tested, product });
  };
  return {
    prepare() {
      facts().catch(() => {});
    },
    audit: createAudit(
      options,
      rulesNow,
      async () => (await facts()).installed,
      (files) => (written = files),
    ),
    written: () => written,
    protectFrom(tree, files) {
      workspace.base = tree;
      added = files;
      known = undefined;
    },
    examined: () => examined,
    async restoreProtected() {
      examined = undefined;
      const rules = await rulesNow();
      workspace.repair?.();
      const { folders, installed } = await facts();
      const shadowing = isCopy(options)
        ? removeShadowing({ root: workspace.root, repository: options.repository, folders, installed })
        : [];
      const now = await workspace.checkpoint();
      const changes = await snapshots.entryChanges(workspace.base, now);
      const findings = await findForbidden(changes, rules, options);
      if (findings.length > 0) {
        const edits = findings.map(({ edit }) => edit);
        await snapshots.restoreTree(workspace.root, await snapshots.amend(now, edits));
      }
      const hidden = await removeHidden(changes, rules, options);
      if (findings.length + hidden.length === 0) examined = now;
      const left = changes.filter(({ path }) => !findings.some(({ edit }) => edit.path.equals(path)));
      // Imported here because it loads a parser, which most commands do not need.
      const { findSuppressions } = await import('./sources.ts');
      const quieted = await findSuppressions(left, { checks, rules }, snapshots);
      return [...findings.map(({ tampering }) => tampering), ...hidden, ...shadowing, ...quieted];
    },
  };
}

/** The workspace with a base that can be replaced. */
function withOwnBase(workspace: GuardedWorkspace): {
  -readonly [Key in keyof GuardedWorkspace]: GuardedWorkspace[Key];
} {
  let { base } = workspace;
  return Object.create(workspace, {
    base: { get: () => base, set: (tree: TreeId) => void (base = tree) },
  }) as ReturnType<typeof withOwnBase>;
}

/** Facts about the base. */
interface BaseFacts {
  /** Files that the configuration or the tests name, and those that the judging commands run. */
  readonly named: readonly string[];
  /** Files that the judging commands would run or load if they were added. */
  readonly refused: readonly string[];
  /** Files of the product in folders that are named like those of tests. */
  readonly product: readonly string[];
  /** Every folder of the base. */
  readonly folders: ReadonlySet<string>;
  /** The user's `node_modules` folders. */
  readonly installed: readonly string[];
}

async function readBase({ snapshots, workspace, repository, judges }: GuardOptions): Promise<BaseFacts> {
  const { base } = workspace;
  const files = await snapshots.listFiles(base);
  const paths = files.map(({ path }) => path);
  const run = judges === undefined ? [] : await namedByCommands(judges, base, snapshots);
  return {
    named: [
      ...(await namedByConfiguration(base, snapshots)),
      ...run,
      ...(await neededByTests(base, snapshots, run)).filter((path) => judges?.task.includes(path) !== true),
    ],
    refused: judges === undefined ? [] : await mayNotBeAdded(judges, base, snapshots),
    product: await productInTestFolders(base, snapshots),
    folders: foldersOf(files),
    installed: repository === undefined ? [] : dependencyFolders(repository, paths),
  };
}

async function findForbidden(
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

/** Every folder of the base; a new package.json in one of them would apply to its files. */
function foldersOf(files: readonly TreeFile[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let at = posix.dirname(path); !folders.has(at); at = posix.dirname(at)) folders.add(at);
  }
  return folders;
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

/** Removes new configuration that an ignore rule keeps out of the trees. */
async function removeHidden(
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
