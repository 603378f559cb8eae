import { openSandbox } from '../../platform/sandbox/open.ts';
import { workspacePolicy } from '../../platform/sandbox/policy.ts';
import type { Config } from '../../schema/generated.ts';

const NO_EXCEPTIONS = { network: false, passEnv: [], read: [], write: [] };

/**
 * Tries the sandbox that jobs are to run in, with a folder of the worker. Throws RalphError `no_sandbox` if this machine has
 * none: its worker would take every job and run none.
 */
export async function requireSandbox(root: string, { sandbox, sandboxEngine }: Config): Promise<void> {
  await openSandbox({
    mode: sandbox ?? 'strict',
    engine: sandboxEngine ?? 'auto',
    policy: () => workspacePolicy({ root, repository: root, dependencies: [] }, NO_EXCEPTIONS),
    isForeign: false,
  });
}
