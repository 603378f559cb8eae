import type { Diagnostic } from '../../schema/generated.ts';

const MISSING_EXPORT =
  /does not provide an export named|is not a function|is not a constructor|has no exported member|is not exported by|no matching export/i;
const MISSING_MODULE =
  /cannot find (module|package)|failed to (resolve|load)|ERR_MODULE_NOT_FOUND|does the file exist/i;
const UNKNOWN_OPTION = /unknown (option|argument)|unrecognized option/i;

/**
 * True if a failure on the base shows that a behaviour is missing: an assertion, a missing export or option, or a
 * missing file among `missing`, the imported files (paths without folder) that the task demands.
 */
export function isRightReason({ type, message }: Diagnostic, missing: readonly string[]): boolean {
  if (type === 'timeout') return false;
  if (MISSING_MODULE.test(message)) return missing.some((name) => message.includes(name));
  if (MISSING_EXPORT.test(message) || UNKNOWN_OPTION.test(message)) return true;
  return type === 'test_failure';
}
