import { chownSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, usageError } from '../../errors.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { tryLock } from '../../platform/files/sqlite-lock.ts';
import { runProcess } from '../../platform/processes/process.ts';
import type { LocalFolder } from './folder.ts';
import type { ServerUser } from './server-user.ts';

const POLL_MS = 100;
const REMEDY = 'Set RALPH_FLEET_DIR to the absolute path of a folder that you may write, or leave it unset.';

/** Makes the folder of the local server, unless it is there. Throws a usage error if it cannot be used. */
export async function openFleetFolder(
  { root }: LocalFolder,
  { uid, gid, prefix }: ServerUser,
): Promise<void> {
  const refuse = (problem: string): never => {
    throw usageError(`RALPH_FLEET_DIR is ${JSON.stringify(root)}: ${problem}.`, REMEDY);
  };
  if (!isAbsolute(root)) refuse('it is not an absolute path');
  if (/[\0\r\n]/.test(root)) refuse('its name contains a line break');
  try {
    if (makeFolder(root)) chownSync(root, uid, gid);
  } catch (error) {
    refuse(`the folder cannot be made: ${messageOf(error)}`);
  }
  if (prefix.length === 0) return;
  const [file, ...args] = [...prefix, 'test', '-x', root];
  const { PATH } = process.env;
  const entered = await runProcess({ file: file!, args, cwd: '/', env: { PATH } });
  if (entered.exitCode !== 0)
    refuse(
      `root's server runs as the user with the id ${uid}, who may not enter this folder or one above it`,
    );
}

/** Runs `act` while no other process of this machine starts the server of the folder. */
export async function whileAlone<T>({ startLock }: LocalFolder, act: () => Promise<T>): Promise<T> {
  for (;;) {
    const attempt = tryLock(startLock, { waitMs: 0 });
    if (attempt.kind === 'failed')
      throw usageError(
        `RALPH_FLEET_DIR: ${startLock} cannot be written: ${messageOf(attempt.error)}.`,
        REMEDY,
      );
    if (attempt.kind === 'held')
      try {
        return await act();
      } finally {
        attempt.lock.release();
      }
    await sleep(POLL_MS);
  }
}
