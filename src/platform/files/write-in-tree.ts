import { closeSync, constants, mkdirSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { statOf } from './real-paths.ts';

/** As `writeFileSync` without a mode: an existing file is replaced, its permissions stay. */
const REPLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/**
 * Writes a file of a tree whose own code has run: that code may have put a link to anywhere in place of a folder, and must not
 * have ralph write there, which the sandbox denies to it. Missing folders are made. `path` is relative to the root, or
 * absolute and in it. Links that stay in the tree are followed. Throws RalphError (exit 6) for one that leads out of it.
 */
export function writeInTree(root: string, path: string, content: string | Uint8Array): void {
  const real = realPathIn(root, path);
  if (real === undefined) throw leadsOut(root, path);
  mkdirSync(dirname(real), { recursive: true });
  const file = openSync(real, REPLACE, 0o666);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}

/** Removes a file of a tree, as `writeInTree` writes one; does nothing if it is not there or not in the tree. */
export function removeFromTree(root: string, path: string): void {
  const real = realPathIn(root, path, true);
  if (real !== undefined) rmSync(real, { force: true });
}

/** The path without links, of which the last part need not exist; undefined if it is not in the root. */
function realPathIn(root: string, path: string, isLinkKept = false): string | undefined {
  const top = realpathSync(root);
  const at = resolve(root, path);
  const found = statOf(at);
  const real =
    found === undefined || isLinkKept ? join(realFolder(dirname(at)), basename(at)) : realPathOf(at);
  if (real === undefined) return undefined;
  const inside = relative(top, real);
  return inside === '..' || inside.startsWith(`..${sep}`) ? undefined : real;
}

/** The real path of a folder, of which the last parts need not exist. */
function realFolder(folder: string): string {
  return statOf(folder) === undefined
    ? join(realFolder(dirname(folder)), basename(folder))
    : realpathSync(folder);
}

/** Undefined for a link to nothing. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function leadsOut(root: string, path: string): RalphError {
  const named = relative(root, resolve(root, path));
  return new RalphError(`A link in ${named} leads out of the tree: ralph does not write there.`, {
    code: 'check_unrunnable',
    exitCode: ExitCode.check,
    hint: 'The code that the checks run has put it there. Look at the change before you run it yourself.',
  });
}
