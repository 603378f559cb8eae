import { findBubblewrap } from './find-bubblewrap.ts';
import { findSandboxRuntime } from './find-sandbox-runtime.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';

/** `auto`: bubblewrap on Linux; sandbox-runtime on other systems, or if bubblewrap does not work. */
export type EngineChoice = 'auto' | Sandbox['engine'];

/** A sandbox that works on this machine, or why there is none. */
export type Found = { readonly sandbox: Sandbox } | Missing;

export interface Missing {
  readonly problem: string;
  /** How to get one. */
  readonly hint: string;
}

/** The requested engine, or the first that works. If none does, the problem of the system's usual engine. Never rejects. */
export async function findEngine(
  choice: EngineChoice,
  policy: SandboxPolicy,
  provenIn?: string,
): Promise<Found> {
  if (choice === 'bubblewrap') return findBubblewrap(policy, provenIn);
  if (choice === 'sandbox-runtime') return findSandboxRuntime(policy);
  const isLinux = process.platform === 'linux';
  const usual = await (isLinux ? findBubblewrap(policy, provenIn) : findSandboxRuntime(policy));
  if ('sandbox' in usual || !isLinux) return usual;
  const other = await findSandboxRuntime(policy);
  return 'sandbox' in other ? other : usual;
}
