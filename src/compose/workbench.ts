import { createCheck } from '../evaluators/checks/index.ts';
import { withoutSetup } from '../evaluators/setup.ts';
import type { SuiteOptions } from '../evaluators/suite.ts';
import type { TreeId, Workspace } from '../ports.ts';
import { createInPlaceWorkspace } from '../workspace/in-place.ts';
import type { GuardedWorkspace } from '../workspace/protect.ts';
import { openSnapshots, type Snapshots } from '../workspace/snapshots.ts';
import { checksCacheDir } from '../workspace/workspace-dir.ts';
import { createWorktreeWorkspace } from '../workspace/worktree.ts';
import type { Project } from './project.ts';

/** A workspace, and the checks that judge what is in it. */
export interface Workbench {
  readonly workspace: Workspace & GuardedWorkspace;
  readonly snapshots: Snapshots;
  readonly suite: SuiteOptions;
  /** What of the user's tree the workspace does not have, relative to the root. */
  readonly notCovered: readonly string[];
}

/** Opens the workspace that the settings ask for; from `base` where one is given. Throws RalphError. */
export async function openWorkbench(project: Project, loopId: string, base?: TreeId): Promise<Workbench> {
  const { repository, settings, plan } = project;
  const { workspaceDir, checkTimeoutMs, noRegressions } = settings;
  const snapshots = await openSnapshots(repository, loopId);
  const { workspace, notCovered } = await openWorkspace(project, snapshots, base);
  const checks = plan.checks.map((check) => createCheck(withoutSetup(check)));
  const cacheDir = checksCacheDir(repository, workspaceDir);
  return {
    workspace,
    snapshots,
    suite: { plan, checks, cacheDir, checkTimeoutMs, noRegressions },
    notCovered,
  };
}

async function openWorkspace(
  { repository, settings }: Project,
  snapshots: Snapshots,
  base: TreeId | undefined,
): Promise<Pick<Workbench, 'workspace' | 'notCovered'>> {
  const { isolation, workspaceDir, carry } = settings;
  const from = { repository, snapshots, ...(base !== undefined && { base }) };
  if (isolation === 'in-place') return { workspace: await createInPlaceWorkspace(from), notCovered: [] };
  const where = workspaceDir === undefined ? {} : { workspaceDir };
  const workspace = await createWorktreeWorkspace({ ...from, carry, ...where });
  return { workspace, notCovered: workspace.notCovered };
}
