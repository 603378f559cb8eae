import { ExitCode, RalphError } from '../../errors.ts';
import { findBubblewrap, type Missing } from './find-bubblewrap.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';

/** `auto`: where an engine works; `strict`: or not at all. */
export type SandboxMode = 'auto' | 'strict' | 'off';

export interface SandboxRequest {
  readonly mode: SandboxMode;
  readonly policy: () => SandboxPolicy;
  /** Commands come from a model that ralph asks itself: under `auto`, too, they never run without an engine. */
  readonly ruledByModel: boolean;
}

export interface OpenedSandbox {
  /** Absent: programs run with the user's own rights. */
  readonly sandbox?: Sandbox;
  /** What the user should know. */
  readonly warning?: string;
}

/**
 * The engine that works here, tried once. Throws RalphError `no_sandbox` (exit 2) where there is none and the mode,
 * or who gives the commands, does not allow to go on without.
 */
export async function openSandbox(request: SandboxRequest): Promise<OpenedSandbox> {
  const { mode, policy, ruledByModel } = request;
  if (mode === 'off') return {};
  const found = await findBubblewrap(policy());
  if ('sandbox' in found) return found;
  if (mode === 'strict' || ruledByModel) throw noSandbox(found, mode);
  const { problem, hint } = found;
  return {
    warning: `Commands and checks run without a sandbox: ${problem}. ${hint}. --sandbox off says that this is meant.`,
  };
}

function noSandbox({ problem, hint }: Missing, mode: SandboxMode): RalphError {
  const who =
    mode === 'strict' ? '--sandbox strict: no sandbox' : "A model's commands are not run without a sandbox";
  return new RalphError(`${who}: ${problem}.`, {
    code: 'no_sandbox',
    exitCode: ExitCode.usage,
    hint: `${hint}\nor run them with your own rights: --sandbox off`,
  });
}
