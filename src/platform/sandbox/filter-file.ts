import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { syscallFilter } from './syscall-filter.ts';

const files = new Map<boolean, string>();

/**
 * Absolute path of a file with the filter of system calls, in a private folder that is removed when this process ends;
 * undefined for a processor without a filter. Written on the first call, and again if it was removed. `mayBuild`: see `syscallFilter`.
 */
export function filterFile({ mayBuild = false } = {}): string | undefined {
  const known = files.get(mayBuild);
  if (known !== undefined && existsSync(known)) return known;
  const filter = syscallFilter(process.arch, mayBuild);
  if (filter === undefined) return undefined;
  const file = join(makeTemporaryFolder('filter'), 'seccomp.bpf');
  files.set(mayBuild, file);
  writeFileSync(file, filter, { mode: 0o600 });
  return file;
}
