import { ExitCode, RalphError } from '../errors.ts';

/** An error in the configuration: exit code 2. */
export function configError(message: string, hint: string, cause?: unknown): RalphError {
  return new RalphError(message, { code: 'config_invalid', exitCode: ExitCode.usage, hint, cause });
}
