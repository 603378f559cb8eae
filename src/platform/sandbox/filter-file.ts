import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { syscallFilter } from './syscall-filter.ts';

let file: string | undefined;

/**
 * Absolute path of a file with the filter of system calls, in a private folder that is removed when this process ends;
 * undefined for a processor without a filter. Written on the first call, and again if it was removed.
 */
export function filterFile(): string | undefined {
  if (file !== undefined && existsSync(file)) return file;
  const filter = syscallFilter();
  if (filter === undefined) return undefined;
  file = join(makeTemporaryFolder('filter'), 'seccomp.bpf');
  writeFileSync(file, filter, { mode: 0o600 });
  return file;
}
