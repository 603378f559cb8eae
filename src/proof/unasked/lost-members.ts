import { isImportable } from '../delivery/lost-files.ts';
import type { Compared } from './rule.ts';

/**
 * A sentence on a class, function or object that users of the package can import and that lost a method; undefined if there is
 * none. `loads` are the loaded sources.
 */
export function findLostMember(loads: readonly Compared[], root: string): string | undefined {
  for (const { call, before, now } of loads) {
    if (!isImportable(call.source, root)) continue;
    const lost = before.methods.find(
      (it) => !now.methods.includes(it) && it.includes('.') && now.methods.includes(it.split('.')[0]!),
    );
    if (lost !== undefined)
      return `${call.source} no longer has ${lost}, which users of the package can call. Keep it; if it is to go, --allow ${call.source} permits it.`;
  }
  return undefined;
}
