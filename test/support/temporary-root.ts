/** Global set-up of vitest: one temporary folder for a whole run, in which ralph itself must leave nothing. */
import { readdirSync } from 'node:fs';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';

/** Name of a folder that ralph makes for one process. `ralph-<uid>` is not one: workspaces are kept between loops. */
const OF_ONE_PROCESS = /^ralph-[a-z-]+-\d+-\w{6}$/;

let root: string;

/**
 * Sets TMPDIR to a new folder, and removes those of killed runs. Its path is short, because the path of a socket has at
 * most 107 characters.
 */
export function setup(): void {
  root = makeTemporaryFolder('tests');
  process.env.TMPDIR = root;
}

/** Removes the folder. The run fails if a process of ralph has left a folder in it. */
export function teardown(): void {
  const left = readdirSync(root).filter((name) => OF_ONE_PROCESS.test(name));
  removeTemporaryFolder(root);
  if (left.length === 0) return;
  process.stderr.write(`ralph has left folders in the temporary folder: ${left.join(', ')}\n`);
  process.exitCode = 1;
}
