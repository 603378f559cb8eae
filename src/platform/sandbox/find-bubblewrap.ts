import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { createBubblewrap } from './bubblewrap.ts';
import type { Found } from './find-engine.ts';
import { probe } from './probe.ts';
import { provenPolicy } from './proven-policies.ts';
import type { SandboxPolicy } from './sandbox.ts';

const INSTALL_BUBBLEWRAP =
  'Install it: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora)';
const ALLOW_NAMESPACES =
  'The kernel or the container must allow user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined';
/** Long enough for a machine under heavy load, where a shorter one would deny a sandbox that works. */
const PROBE_MS = 60_000;

/**
 * Finds bubblewrap and runs one program in it with the policy, unless one has run with it before; `provenIn` is a file that
 * remembers that. Never rejects.
 */
export async function findBubblewrap(policy: SandboxPolicy, provenIn?: string): Promise<Found> {
  const bwrap = programOnPath('bwrap');
  if (bwrap === undefined) return { problem: 'bubblewrap is not installed', hint: INSTALL_BUBBLEWRAP };
  const proven = provenPolicy(bwrap, policy, provenIn);
  const sandbox = createBubblewrap(bwrap, policy, proven.forget);
  if (proven.isProven) return { sandbox };
  const failure = await probe(sandbox, policy, PROBE_MS);
  if (failure === undefined) {
    proven.remember();
    return { sandbox };
  }
  return { problem: `bubblewrap does not work here (${failure})`, hint: ALLOW_NAMESPACES };
}

/** Absolute path of a program of the system. Programs of installed packages are not trusted. */
export function programOnPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const trusted = folders.filter((folder) => isAbsolute(folder) && !folder.includes('node_modules'));
  return ['/usr/bin', '/usr/local/bin', '/bin', ...trusted]
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
