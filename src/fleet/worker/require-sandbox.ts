import { existsSync } from 'node:fs';
import { usageError } from '../../errors.ts';
import { homeFolder } from '../../platform/processes/own-user.ts';
import { openSandbox } from '../../platform/sandbox/open.ts';
import { workspacePolicy } from '../../platform/sandbox/policy.ts';
import type { Config } from '../../schema/generated.ts';

const NO_EXCEPTIONS = { network: false, passEnv: [], read: [], write: [] };

/** Throws a usage error for a path of `--sandbox-read` or `--sandbox-write` that this machine does not have: each job would end by it. */
function requirePaths({ sandboxRead = [], sandboxWrite = [] }: Config): void {
  for (const [flag, paths] of [
    ['--sandbox-read', sandboxRead],
    ['--sandbox-write', sandboxWrite],
  ] as const) {
    // Others are relative to the repository of a job.
    const named = paths.filter((path) => /^(?:\/|~(?=\/|$))/.test(path));
    const missing = named.find((path) => !existsSync(path.replace(/^~/, homeFolder() ?? '~')));
    if (missing !== undefined)
      throw usageError(
        `${flag} ${missing}: the path does not exist on this machine.`,
        'Create it, or leave the flag out.',
      );
  }
}

/**
 * Tries the sandbox that jobs are to run in, with a folder of the worker. Throws RalphError `no_sandbox` if this machine has
 * none: its worker would take every job and run none.
 */
export async function requireSandbox(root: string, overrides: Config): Promise<void> {
  const { sandbox, sandboxEngine } = overrides;
  requirePaths(overrides);
  await openSandbox({
    mode: sandbox ?? 'strict',
    engine: sandboxEngine ?? 'auto',
    policy: () => workspacePolicy({ root, repository: root, dependencies: [] }, NO_EXCEPTIONS),
    isForeign: false,
  });
}
