import { ExitCode, RalphError } from '../../errors.ts';
import { findEngine, type EngineChoice, type Missing } from './find-engine.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';

/** `auto`: where an engine works; `strict`: or not at all. */
export type SandboxMode = 'auto' | 'strict' | 'off';

export interface SandboxRequest {
  readonly mode: SandboxMode;
  readonly engine: EngineChoice;
  readonly policy: () => SandboxPolicy;
  /** What runs was written by a model, an agent or a program: under `auto`, too, it never runs without an engine. */
  readonly isForeign: boolean;
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
  const { mode, engine, policy, isForeign } = request;
  if (mode === 'off') return {};
  const found = await findEngine(engine, policy());
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
