import { existsSync } from 'node:fs';
import { tryLock } from '../platform/files/sqlite-lock.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';

/** True while a process judges files of the repository before its agent stops. `root` is absolute. */
export function isKeptAhead(root: string): boolean {
  const path = ralphFolder(root).aheadLock();
  if (!existsSync(path)) return false;
  const attempt = tryLock(path, { mode: 'shared', waitMs: 0 });
  if (attempt.kind === 'held') attempt.lock.release();
  return attempt.kind === 'busy';
}
