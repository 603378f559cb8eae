import { chmodSync, lstatSync } from 'node:fs';
import { ownUserId } from '../processes/own-user.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Creates a folder that only this user can access, or checks an existing one; returns its path. Refused are folders of other
 * users, and links, because they could show other files than those that were written. Throws Error with the reason.
 */
export function makePrivateFolder(path: string): string {
  makeFolder(path);
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new Error('it is not a folder');
  if (found.uid !== ownUserId()) throw new Error('it belongs to another user');
  if ((found.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  return path;
}
