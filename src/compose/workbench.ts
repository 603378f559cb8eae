import { join } from 'node:path';
import { createCheck } from '../checks/tools/index.ts';
import { withoutSetup } from '../checks/run/setup.ts';
import type { SuiteOptions } from '../checks/suite.ts';
import type { TreeId, Workspace } from '../ports.ts';
import { dependencyFolders } from '../workspace/dependencies/plan.ts';
import { matcherOf } from '../workspace/globs.ts';
import { createInPlaceWorkspace } from '../workspace/in-place.ts';
import type { GuardedWorkspace } from '../workspace/protect/guard.ts';
import { openSnapshots, type Snapshots } from '../workspace/snapshots/snapshots.ts';
import { checksCacheDir } from '../workspace/workspace-dir.ts';
import { createWorktreeWorkspace } from '../workspace/worktree.ts';
import { installedPlaces } from '../platform/sandbox/installed-places.ts';
import type { Project } from './project.ts';
import { openProjectSandbox } from './sandbox.ts';

/** A workspace, and the checks that judge what is in it. */
export interface Workbench {
  readonly workspace: Workspace & GuardedWorkspace;
  readonly snapshots: Snapshots;
  readonly suite: SuiteOptions;
  /** What of the user's tree the workspace does not have, relative to the root. */
  readonly notCovered: readonly string[];
  /** What the user should know of nested repositories, and of the sandbox or its absence. */
  readonly warnings: readonly string[];
}

export interface WorkbenchRequest {
  readonly loopId: string;
  /** The user's tree as it is now, where absent. */
  readonly base?: TreeId | undefined;
  /** Somebody is to edit the tree here: an evaluation alone has no actor. */
  readonly hasActor: boolean;
  /** Number of the workspace among those of loops that run at the same time, 1-based; 1 if absent. */
  readonly slot?: number | undefined;
  /** Remove locks that a killed process left in the snapshots; not while other loops of this process run. Default true. */
  readonly removeStaleLocks?: boolean | undefined;
}

/** Opens the workspace that the settings ask for, and the sandbox around it. Throws RalphError. */
export async function openWorkbench(
  project: Project,
  { loopId, base, hasActor, slot, removeStaleLocks }: WorkbenchRequest,
): Promise<Workbench> {
  const { repository, settings, plan } = project;
  const { workspaceDir, checkTimeoutMs, noRegressions } = settings;
  const snapshots = await openSnapshots(repository, loopId, { removeStaleLocks });
  const { workspace, nested, notCovered, dependencies } = await openWorkspace(project, snapshots, {
    base,
    slot,
  });
  const place = { root: workspace.root, repository: repository.root, dependencies };
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
      isAllowed: matcherOf(settings.allow),
    },
    notCovered,
    warnings: [...(nested.length > 0 ? [ofNested(nested)] : []), ...(warning === undefined ? [] : [warning])],
  };
}

interface OpenedWorkspace extends Pick<Workbench, 'workspace' | 'notCovered'> {
  readonly dependencies: readonly string[];
  /** Nested repositories that the workspace has copies of. */
  readonly nested: readonly string[];
}

function ofNested(folders: readonly string[]): string {
  const shown = folders.slice(0, 5).join(', ') + (folders.length > 5 ? ', …' : '');
  return `The checks see the files of ${shown}, but what is changed there is not kept: repositories of their own.`;
}

async function openWorkspace(
  { repository, settings }: Project,
  snapshots: Snapshots,
  { base, slot }: Pick<WorkbenchRequest, 'base' | 'slot'>,
): Promise<OpenedWorkspace> {
  const { isolation, workspaceDir, carry } = settings;
  const from = { repository, snapshots, ...(base !== undefined && { base }) };
  if (isolation === 'in-place') {
    const workspace = await createInPlaceWorkspace(from);
    const files = (await snapshots.listFiles(workspace.base)).map(({ path }) => path);
    const folders = dependencyFolders(repository.root, files).map((path) => join(repository.root, path));
    return { workspace, nested: [], notCovered: [], dependencies: folders.flatMap(installedPlaces) };
  }
  const where = workspaceDir === undefined ? {} : { workspaceDir };
  const workspace = await createWorktreeWorkspace({ ...from, carry, slot, ...where });
  const { nested, notCovered, dependencies } = workspace;
  return { workspace, nested, notCovered, dependencies };
}
