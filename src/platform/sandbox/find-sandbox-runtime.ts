import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Found } from './find-engine.ts';
import { programOnPath } from './find-bubblewrap.ts';
import { probe } from './probe.ts';
import type { SandboxPolicy } from './sandbox.ts';
import { createSandboxRuntime } from './sandbox-runtime.ts';

const PACKAGE = '@anthropic-ai/sandbox-runtime';
const PROBE_MS = 60_000;

const INSTALL_SANDBOX_RUNTIME = `Install it beside ralph: npm install ${PACKAGE} (for all: npm install --global ${PACKAGE})`;

/**
 * Finds sandbox-runtime among the packages next to ralph, which no workspace can write, and runs one program in it with
 * the policy. Never rejects.
 */
export async function findSandboxRuntime(policy: SandboxPolicy): Promise<Found> {
  const cli = installedCli();
  if (cli === undefined)
    return { problem: 'sandbox-runtime is not installed', hint: INSTALL_SANDBOX_RUNTIME };
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return {
      problem: 'sandbox-runtime lets programs of root change settings of the kernel',
      hint: 'Use bubblewrap, or run ralph as another user than root',
    };
  if (policy.network)
    return {
      problem: 'sandbox-runtime opens single names, not the whole network',
      hint: 'Leave out --allow-network, or use bubblewrap',
    };
  const sandbox = createSandboxRuntime(
    cli,
    policy,
    process.platform === 'linux' ? programOnPath('bwrap') : undefined,
  );
  const failure = await probe(sandbox, policy, PROBE_MS);
  if (failure === undefined) return { sandbox };
  return {
    problem: `sandbox-runtime does not work here (${failure})`,
    hint: 'On Linux it needs bubblewrap, socat and ripgrep: apt-get install bubblewrap socat ripgrep',
  };
}

function installedCli(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), 'cli.js');
  } catch {
    return undefined;
  }
}
