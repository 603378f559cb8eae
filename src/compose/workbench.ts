import { dirname, join } from 'node:path';
import { withoutSetup } from '../checks/run/setup.ts';
import type { Workspace } from '../ports.ts';
import type { TreeId } from '../ports/tree.ts';
import type { EvaluatorOptions } from '../proof/evaluator.ts';
import { createCheck } from '../tools.ts';
import { dependencyFolders } from '../workspace/dependencies/plan.ts';
import { matcherOf } from '../workspace/globs.ts';
import { findCarried, learnCarried } from '../workspace/carry.ts';
import { createInPlaceWorkspace } from '../workspace/in-place.ts';
import { namedByGitSettings } from '../workspace/protect/git-settings.ts';
import { openPristineCheckout } from '../workspace/pristine.ts';
import type { GuardedWorkspace } from '../workspace/protect/guard-options.ts';
import { openSnapshots, type Snapshots } from '../workspace/snapshots/snapshots.ts';
import { NESTED_REPOSITORY } from '../workspace/snapshots/tree-changes.ts';
import { checksCacheDir } from '../workspace/workspace-dir.ts';
import { createWorktreeWorkspace } from '../workspace/worktree.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import { installedPlaces } from '../platform/sandbox/installed-places.ts';
import type { Project } from './project.ts';
import { openProjectSandbox } from './sandbox.ts';

/** A workspace, and the checks that evaluate it. */
export interface Workbench {
  readonly workspace: Workspace & GuardedWorkspace;
  readonly snapshots: Snapshots;
  readonly suite: EvaluatorOptions;
  /** Files of the user's tree that the workspace does not contain, relative to the root. */
  readonly notCovered: readonly string[];
  /** The checks read files that neither the tree nor an installed package contains, in nested repositories or linked folders. */
  readonly readsOutside: boolean;
  /** Warnings about nested repositories and about the sandbox, one sentence each. */
  readonly warnings: readonly string[];
}

/** The loop or evaluation that a workspace is opened for. */
export interface WorkbenchRequest {
  readonly loopId: string;
  /** Default: the user's tree as it is now. */
  readonly base?: TreeId | undefined;
  /** Whether an actor will edit the tree; false for a mere evaluation. */
  readonly hasActor: boolean;
  /** Number of the workspace among those of loops that run at the same time, 1-based; 1 if absent. */
  readonly slot?: number | undefined;
  /** Default: opened anew. */
  readonly snapshots?: Snapshots | undefined;
  /** The ignored files to copy, relative to the root. Default: looked for. */
  readonly carried?: readonly string[] | undefined;
  /** Remove locks that a killed process left in the snapshots; not while other loops of this process run. Default true. */
  readonly removeStaleLocks?: boolean | undefined;
}

/** Opens the workspace of the settings, and its sandbox. Throws RalphError. */
export async function openWorkbench(
  project: Project,
  { loopId, base, hasActor, slot, removeStaleLocks, snapshots: opened, carried }: WorkbenchRequest,
): Promise<Workbench> {
  const { repository, settings, plan } = project;
  const { workspaceDir, checkTimeoutMs, noRegressions } = settings;
  const snapshots = opened ?? (await openSnapshots(repository, loopId, { removeStaleLocks }));
  const found = await openWorkspace(project, snapshots, { base, slot, carried });
  const { workspace, nested, notCovered, dependencies, objects } = found;
  const closed = settings.isolation === 'in-place' ? await namedByGitSettings(repository.root) : [];
  const place = { root: workspace.root, repository: repository.root, dependencies, objects, closed };
  const { sandbox, warning } = await openProjectSandbox(project, place, hasActor);
  const checks = plan.checks.map((check) => createCheck(withoutSetup(check)));
  const cacheDir = checksCacheDir(repository, workspaceDir, slot);
  return {
    workspace,
    snapshots,
    suite: {
      plan,
      checks,
      cacheDir,
      checkTimeoutMs,
      noRegressions,
      sandbox,
      holdout: settings.holdout,
      pristine: pristineTrees(project, { snapshots, slot, hasActor, carried: workspace.carried, cacheDir }),
      areApart: areApart(sandbox, project),
      allowed: { mayChange: matcherOf(settings.allow), mayVanish: (path) => settings.allow.includes(path) },
    },
    notCovered,
    readsOutside: found.hasNested || dependencies.some((path) => isLinkedFolder(path, repository.root)),
    warnings: [nested.length > 0 ? nestedWarning(nested) : undefined, warning].filter(
      (text) => text !== undefined,
    ),
  };
}

/** A folder outside of the repository that `npm link` or `file:` made a dependency: its files may change at any time. */
function isLinkedFolder(path: string, root: string): boolean {
  return !path.startsWith(`${root}/`) && !/\/(node_modules|\.yarn|\.pnpm)\//.test(path);
}

/** With bubblewrap, programs have a network and temporary folders of their own, unless the settings open more. */
function areApart(sandbox: Sandbox | undefined, { settings }: Project): boolean {
  const { network, write } = settings.sandbox;
  return sandbox?.engine === 'bubblewrap' && !network && write.length === 0;
}

interface PristineSettings extends Pick<WorkbenchRequest, 'slot' | 'hasActor' | 'carried'> {
  readonly snapshots: Snapshots;
  readonly cacheDir: string;
}

/** Makes checkouts of trees, each with a sandbox of its own, from which the workspace cannot be seen. */
function pristineTrees(
  project: Project,
  { snapshots, slot, hasActor, carried, cacheDir }: PristineSettings,
): NonNullable<EvaluatorOptions['pristine']> {
  const { repository, settings } = project;
  const { workspaceDir } = settings;
  const carry = carriedGlobs(project);
  // Each checkout lies in a new folder: the note is kept in the one around the workspace.
  const provenIn = join(dirname(cacheDir), 'checkout-sandbox');
  return async (tree, without = [], isSecond = false) => {
    const edits = without.map((path) => ({ path: Buffer.from(path) }));
    const kept = edits.length === 0 ? tree : await snapshots.amend(tree, edits);
    const checkout = await openPristineCheckout(
      { repository, snapshots, carry, carried, workspaceDir, slot, isSecond },
      kept,
    );
    const { root, dependencies, history, close } = checkout;
    try {
      const place = { root, repository: repository.root, dependencies };
      const { sandbox } = await openProjectSandbox(project, place, hasActor, undefined, provenIn);
      return { root, repository: repository.root, sandbox: sandbox?.allowing({ read: history }), close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

interface OpenedWorkspace extends Pick<Workbench, 'workspace' | 'notCovered'> {
  readonly dependencies: readonly string[];
  /** Object stores that the workspace's git directory reads. */
  readonly objects: readonly string[];
  /** Nested repositories that are copied into the workspace. */
  readonly nested: readonly string[];
  /** The tree has nested repositories, copied or not. */
  readonly hasNested: boolean;
}

function nestedWarning(folders: readonly string[]): string {
  const shown = folders.slice(0, 5).join(', ') + (folders.length > 5 ? ', …' : '');
  return `Changes in nested repositories are not kept: ${shown}. The checks see their files.`;
}

/** The user's globs, and the build outputs that the checks read. */
export function carriedGlobs({ settings, plan }: Project): string[] {
  return [...settings.carry, ...(plan.carry ?? []).map((path) => `/${path}`)];
}

async function openWorkspace(
  project: Project,
  snapshots: Snapshots,
  { base, slot, carried }: Pick<WorkbenchRequest, 'base' | 'slot' | 'carried'>,
): Promise<OpenedWorkspace> {
  const { repository, settings } = project;
  const { isolation, workspaceDir } = settings;
  const carry = carriedGlobs(project);
  const from = { repository, snapshots, base };
  if (isolation === 'in-place') {
    const workspace = await createInPlaceWorkspace(from);
    learnCarried(repository.root, carried ?? (await findCarried(repository, carry)));
    const entries = await snapshots.listFiles(workspace.base);
    const files = entries.map(({ path }) => path);
    const folders = dependencyFolders(repository.root, files).map((path) => join(repository.root, path));
    const tracked = new Set(files.map((path) => join(repository.root, path)));
    return {
      workspace,
      nested: [],
      hasNested: entries.some(({ mode }) => mode === NESTED_REPOSITORY) || snapshots.notCovered().length > 0,
      notCovered: [],
      objects: [],
      dependencies: folders.flatMap((folder) => installedPlaces(folder, (path) => tracked.has(path))),
    };
  }
  const where = workspaceDir === undefined ? {} : { workspaceDir };
  const workspace = await createWorktreeWorkspace({ ...from, carry, carried, slot, ...where });
  const { nested, notCovered, dependencies, objects } = workspace;
  learnCarried(repository.root, workspace.carried);
  const hasNested = nested.length > 0 || notCovered.length > 0;
  return { workspace, nested, hasNested, notCovered, dependencies, objects };
}
