import type { Attack } from './attack.ts';
import { MOUNTS, PROC, PROCESSES } from './escape-attacks.ts';
import { KERNEL, MACHINE } from './kernel-attacks.ts';
import { HISTORY, LINKS, WRITES } from './file-attacks.ts';
import { NETWORK, SOCKETS } from './network-attacks.ts';
import { ENVIRONMENT, SECRETS } from './secret-attacks.ts';
import { HARMLESS_NAMES, PRIVATE_FILES, SYSTEM_SERVICES, SYSTEM_WRITES } from './system-attacks.ts';

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
  ...KERNEL,
  ...MACHINE,
  ...PRIVATE_FILES,
  ...SYSTEM_WRITES,
  ...SYSTEM_SERVICES,
  ...HARMLESS_NAMES,
];
