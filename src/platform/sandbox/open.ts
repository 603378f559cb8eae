import { ExitCode, RalphError } from '../../errors.ts';
import { findEngine, type EngineChoice, type Missing } from './find-engine.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';

/** `auto`: a sandbox if an engine works; `strict`: fails without one; `off`: none. */
export type SandboxMode = 'auto' | 'strict' | 'off';

export interface SandboxRequest {
  readonly mode: SandboxMode;
  readonly engine: EngineChoice;
  readonly policy: () => SandboxPolicy;
  /** Absolute path of a file of ours that remembers the policy which works. Default: the engine is tried. */
  readonly provenIn?: string | undefined;
  /** The commands come from a model, an agent or a program: `auto` then fails without an engine, too. */
  readonly isForeign: boolean;
}

export interface OpenedSandbox {
  /** Undefined: programs run with the user's own rights. */
  readonly sandbox?: Sandbox;
  /** For the user, if there is no sandbox. */
  readonly warning?: string;
}

/**
 * Opens a sandbox with an engine that works on this machine. Throws RalphError `no_sandbox` (exit 2) if there is none
 * and the mode, or the source of the commands, requires one.
 */
export async function openSandbox(request: SandboxRequest): Promise<OpenedSandbox> {
  const { mode, engine, policy, isForeign, provenIn } = request;
  if (mode === 'off') return {};
  const found = await findEngine(engine, policy(), provenIn);
  if ('sandbox' in found) return found;
  if (mode === 'strict' || isForeign) throw noSandbox(found, mode);
  const { problem, hint } = found;
  return {
    warning: `Commands and checks run without a sandbox: ${problem}. ${hint}. --sandbox off says that this is meant.`,
  };
}

function noSandbox({ problem, hint }: Missing, mode: SandboxMode): RalphError {
  const who =
    mode === 'strict' ? '--sandbox strict: no sandbox' : 'What others write is not run without a sandbox';
  return new RalphError(`${who}: ${problem}.`, {
    code: 'no_sandbox',
    exitCode: ExitCode.usage,
    hint: `${hint}\nor run them with your own rights: --sandbox off`,
  });
}
