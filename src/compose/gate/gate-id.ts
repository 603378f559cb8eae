/** Snapshots that belong to no session; the same name is used for the lock, since no loop runs. */
export const GATE_ID = 'ralph-gate';
