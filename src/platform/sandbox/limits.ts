import { totalmem } from 'node:os';

/** Most that one confined command or check may use, with the processes that it starts. Infinity: no limit. */
export interface UsageLimits {
  /** Memory of all its processes, and of the files that it writes to folders in memory. */
  readonly memoryBytes: number;
  /** All files that it writes. */
  readonly diskBytes: number;
  /** One file. */
  readonly fileBytes: number;
  /** Processes and threads. */
  readonly processes: number;
}

/** The setting `limits`: sizes in GiB; 0 is no limit, a missing key the default. */
export type GivenLimits = Readonly<Partial<Record<string, number>>>;

const GIB = 2 ** 30;
const MEMORY_SHARE = 0.75;
const DISK_GIB = 20;
const FILE_GIB = 8;
const PROCESSES = 4096;

/** The limits of the setting; the default of `memory` is three quarters of the memory that ralph itself may use. */
export function usageLimits(given: GivenLimits = {}): UsageLimits {
  const { memory = (MEMORY_SHARE * machineMemory()) / GIB, disk = DISK_GIB, file = FILE_GIB } = given;
  return {
    memoryBytes: bytesOf(memory),
    diskBytes: bytesOf(disk),
    fileBytes: bytesOf(file),
    processes: given['processes'] === 0 ? Infinity : (given['processes'] ?? PROCESSES),
  };
}

function bytesOf(gib: number): number {
  return gib === 0 ? Infinity : Math.ceil(gib * GIB);
}

/** In a container, its own limit. */
function machineMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}
