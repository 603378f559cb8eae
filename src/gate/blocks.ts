/** Most blocks in a row: an agent that has been told five times is not helped by a sixth. */
export const MOST_BLOCKS = 5;

/** How often the agent has been blocked in a row before this check. A new turn of its user begins anew. */
export function blocksBefore(blocks: number, isContinued: boolean): number {
  return isContinued ? blocks : 0;
}
