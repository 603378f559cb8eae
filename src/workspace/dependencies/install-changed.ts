import { existsSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { runProcess } from '../../platform/processes/process.ts';

/** npm's lockfile: other managers keep what they installed in formats of their own, which are not read here. */
const LOCKFILE = 'package-lock.json';
/** Exactly what the lockfile says, from npm's cache and from folders of the repository; no script of a package runs. */
const ARGUMENTS = ['ci', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
const TIMEOUT_MS = 5 * 60_000;

export interface ChangedLockRequest {
  /** Absolute path of the user's repository. */
  readonly repository: string;
  /** Absolute path of the checkout. */
  readonly root: string;
}

/**
 * Installs the dependencies of a checkout whose lockfile is another one than the user's. True if they are complete; false
 * if the lockfile is the user's, cannot be installed without a network, or names places outside of the repository: then
 * nothing is left behind. Never rejects.
 */
export async function installChanged({ repository, root }: ChangedLockRequest): Promise<boolean> {
  const [then, now] = [repository, root].map((folder) => textAt(join(folder, LOCKFILE)));
  if (now === undefined || now === then || !staysInside(now, root)) return false;
  const { PATH, HOME, TMPDIR } = process.env;
  const { exitCode } = await runProcess({
    file: 'npm',
    args: ARGUMENTS,
    cwd: root,
    env: { PATH, HOME, TMPDIR, CI: 'true' },
    timeoutMs: TIMEOUT_MS,
  });
  if (exitCode !== 0) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  return exitCode === 0 && existsSync(join(root, 'node_modules'));
}

/** Whether all that a lockfile names comes from a registry, with a checksum, or lies in the tree. */
function staysInside(text: string, root: string): boolean {
  try {
    const { packages } = JSON.parse(text) as { packages?: Readonly<Record<string, Locked>> };
    return packages !== undefined && Object.entries(packages).every((entry) => isKnown(entry, root));
  } catch {
    return false;
  }
}

interface Locked {
  readonly resolved?: unknown;
  readonly integrity?: unknown;
  readonly link?: unknown;
}

function isKnown([path, { resolved, integrity, link }]: [string, Locked], root: string): boolean {
  if (!isInside(path, root)) return false;
  if (resolved === undefined) return true;
  if (typeof resolved !== 'string') return false;
  if (/^https?:/.test(resolved)) return typeof integrity === 'string';
  return (link === true || resolved.startsWith('file:')) && isInside(resolved.replace(/^file:/, ''), root);
}

function isInside(path: string, root: string): boolean {
  const inside = relative(root, resolve(root, path));
  return !isAbsolute(path) && !isAbsolute(inside) && inside.split(/[\\/]/)[0] !== '..';
}

function textAt(path: string): string | undefined {
  try {
    return readTreeTextSync(path);
  } catch {
    return undefined;
  }
}
