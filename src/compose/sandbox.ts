import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { homeFolder } from '../platform/processes/own-user.ts';
import { ACTORS } from '../actors.ts';
import { usageError } from '../errors.ts';
import { usageLimits } from '../platform/sandbox/limits.ts';
import { openSandbox, type OpenedSandbox } from '../platform/sandbox/open.ts';
import { workspacePolicy, type WorkspacePlace } from '../platform/sandbox/policy.ts';
import type { Sandbox, SandboxPolicy } from '../platform/sandbox/sandbox.ts';
import type { Project } from './project.ts';

/**
 * Opens the sandbox of the settings for commands and checks in a tree. Throws RalphError where a path to be opened does
 * not exist, and where a sandbox is required and no engine works. `provenIn`: a file in a
 * folder that is ours alone, which remembers that the sandbox works.
 */
export function openProjectSandbox(
  { settings, repository }: Pick<Project, 'settings' | 'repository'>,
  place: WorkspacePlace,
  hasActor: boolean,
  restrict: (policy: SandboxPolicy, root: string) => SandboxPolicy = (policy) => policy,
  provenIn: string | undefined = noteBeside(place),
): Promise<OpenedSandbox> {
  const { mode, engine, network, passEnv, limits: given, ...paths } = settings.sandbox;
  const limits = usageLimits(given);
  const absolute = (path: string): string => {
    const found = resolve(repository.packageStart, path.replace(/^~(?=\/|$)/, homeFolder() ?? '~'));
    if (existsSync(found)) return found;
    throw usageError(`The sandbox cannot open ${path}: the path does not exist.`, 'Create it first.');
  };
  const read = paths.read.map(absolute);
  const write = paths.write.map(absolute);
  return openSandbox({
    mode,
    engine,
    provenIn,
    policy: () =>
      restrict(workspacePolicy(place, { network, passEnv, read, write, limits }), realpathSync(place.root)),
    isForeign: hasActor && ACTORS[settings.actor].writesForeignCode,
  });
}

/** A workspace lies in a folder that is ours alone. */
function noteBeside({ root, repository }: WorkspacePlace): string | undefined {
  return root === repository ? undefined : join(dirname(root), 'sandbox');
}

/**
 * The sandbox of the settings for programs that only read the user's tree; undefined where checks run without one too.
 * Throws as `openProjectSandbox` does.
 */
export async function openReadOnlySandbox(
  project: Pick<Project, 'settings' | 'repository'>,
): Promise<Sandbox | undefined> {
  const { root } = project.repository;
  const place = { root, repository: root, dependencies: [] };
  const { sandbox } = await openProjectSandbox(project, place, false, readOnly);
  return sandbox;
}

function readOnly(policy: SandboxPolicy, root: string): SandboxPolicy {
  return {
    ...policy,
    write: policy.write.filter((path) => path !== root),
    read: [...policy.read, { from: root, at: root }],
  };
}

/** One line for `ralph doctor` about the sandbox for commands and checks. Never rejects. */
export async function describeSandbox(project: Project): Promise<string> {
  const { root } = project.repository;
  const { sandbox: mode } = project.settings;
  if (mode.mode === 'off') return 'off: commands and checks have your own rights';
  const settings = { ...project.settings, sandbox: { ...mode, mode: 'auto' as const } };
  const place = { root, repository: root, dependencies: [] };
  const { sandbox, warning } = await openProjectSandbox({ ...project, settings }, place, false);
  const network = mode.network ? 'with the network' : 'without a network';
  return sandbox === undefined ? (warning ?? 'none') : `${sandbox.engine}, ${network}`;
}
