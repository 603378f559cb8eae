import type { HookName } from '../../gate/dialects/index.ts';
import type { Config } from '../../schema/generated.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';

/** Options of `ralph gate start` and `ralph gate check`. */
export interface GateOptions extends OutputOptions {
  readonly hook?: HookName;
  readonly allGreen?: boolean;
}

/** The agent's name for a session without a hook. */
export const BY_HAND_TITLE = 'an agent';

/** The settings among the options of a command of the gate. */
export function flagsOf(options: Readonly<Record<string, unknown>> | OutputOptions): Config {
  return settingsFromOptions({ ...options });
}
