import type { RepeatableCall } from './repeat-calls.ts';

const HANDLE = /"h":(\d+)/g;

/**
 * The wanted calls, in order, but for those on or with an object for which an earlier call is not wanted: repeated without that one,
 * they would meet an object in another state.
 */
export function withWholeHistories(
  calls: readonly RepeatableCall[],
  isWanted: (call: RepeatableCall) => boolean,
): RepeatableCall[] {
  const incomplete = new Set<number>();
  return calls.filter((call) => {
    const objects = [...call.args.matchAll(HANDLE)].map(([, at]) => Number(at));
    if (call.on !== undefined) objects.push(call.on);
    if (isWanted(call) && !objects.some((at) => incomplete.has(at))) return true;
    for (const at of [call.at, ...objects]) incomplete.add(at);
    return false;
  });
}
