import { findBubblewrap } from './find-bubblewrap.ts';
import { findSandboxRuntime } from './find-sandbox-runtime.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';

/** `auto`: bubblewrap on Linux, and sandbox-runtime where that does not work. */
export type EngineChoice = 'auto' | Sandbox['engine'];

/** A sandbox that works here, or why there is none and what to do about it. */
export type Found = { readonly sandbox: Sandbox } | Missing;

export interface Missing {
  readonly problem: string;
  readonly hint: string;
}

/** The engine that is asked for, or the first that works; what is missing is told of the one that is usual here. */
export async function findEngine(choice: EngineChoice, policy: SandboxPolicy): Promise<Found> {
  if (choice === 'bubblewrap') return findBubblewrap(policy);
  if (choice === 'sandbox-runtime') return findSandboxRuntime(policy);
  const isLinux = process.platform === 'linux';
  const usual = await (isLinux ? findBubblewrap(policy) : findSandboxRuntime(policy));
  if ('sandbox' in usual || !isLinux) return usual;
  const other = await findSandboxRuntime(policy);
  return 'sandbox' in other ? other : usual;
}
