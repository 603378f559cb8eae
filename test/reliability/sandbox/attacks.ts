import type { Attack } from './attack.ts';
import { MOUNTS, PROC, PROCESSES } from './escape-attacks.ts';
import { HISTORY, LINKS, WRITES } from './file-attacks.ts';
import { NETWORK, SOCKETS } from './network-attacks.ts';
import { ENVIRONMENT, SECRETS } from './secret-attacks.ts';

/** All attacks. */
export const ATTACKS: readonly Attack[] = [
  ...WRITES,
  ...LINKS,
  ...HISTORY,
  ...SECRETS,
  ...ENVIRONMENT,
  ...PROC,
  ...MOUNTS,
  ...SOCKETS,
  ...NETWORK,
  ...PROCESSES,
];
