import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/** A Node program. */
export interface NodeProgram {
  /** Absolute path. */
  readonly path: string;
  /** Such as `24.1.0`. */
  readonly version: string;
}

const OWN: NodeProgram = { path: process.execPath, version: process.versions.node };
/**
 * The reporters call `process.getBuiltinModule`, which older versions do not have. In ralph's own sources they are
 * TypeScript, which Node runs from 22.18 on.
 */
const OLDEST = import.meta.url.endsWith('.ts') ? ([22, 18] as const) : ([20, 16] as const);
const MAX_MANIFEST_BYTES = 1024 * 1024;
const known = new Map<string, NodeProgram>();

/**
 * The Node that a script of the repository gets, so that a check and the script that it stands for agree: the first one
 * on the PATH. It is the Node that runs ralph where that is the same, or where the other is too old for the reporters.
 */
export function scriptNode(path = process.env['PATH'] ?? ''): NodeProgram {
  const found = known.get(path) ?? findNode(path);
  known.set(path, found);
  return found;
}

/** A PATH whose first Node loads ralph's own modules: with the folder of the one that runs ralph before an older one. */
export function pathWithRecentNode(path: string): string {
  const [first] = nodesOn(path);
  const isRecent = first !== undefined && realpathSync(first) === realpathSync(scriptNode(path).path);
  return isRecent ? path : [dirname(OWN.path), path].join(delimiter);
}

function nodesOn(path: string): string[] {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'node'))
    .filter(existsSync);
}

function findNode(path: string): NodeProgram {
  const [first] = nodesOn(path);
  if (first === undefined || realpathSync(first) === realpathSync(OWN.path)) return OWN;
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(versionOf(first)) ?? [];
  if (major === undefined || isTooOld(Number(major), Number(minor))) return OWN;
  return { path: first, version: `${major}.${minor}.${patch}` };
}

/** `bin/ralph.js` says which Node it was started with: its version and its path, with a space between them. */
function versionOf(node: string): string {
  const [, version, path] = /^(\S+) (.+)$/s.exec(process.env['RALPH_STARTED_BY'] ?? '') ?? [];
  if (path !== undefined && existsSync(path) && realpathSync(path) === realpathSync(node)) return version!;
  // A program of the repository, which anybody may have put there: only the sandbox runs it.
  if (node.split(sep).includes('node_modules')) return packagedVersion(realpathSync(node));
  return spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 10_000 }).stdout ?? '';
}

/** The version of the package `node` that a program belongs to; empty if it belongs to none. */
function packagedVersion(node: string): string {
  try {
    const manifest = join(dirname(dirname(node)), 'package.json');
    const found = statSync(manifest);
    // It may be a link to an endless device.
    if (!found.isFile() || found.size > MAX_MANIFEST_BYTES) return '';
    const text = readFileSync(manifest, 'utf8');
    const { name, version } = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown };
    return typeof name === 'string' && /^node(?:-|$)/.test(name) && typeof version === 'string'
      ? version
      : '';
  } catch {
    return '';
  }
}

function isTooOld(major: number, minor: number): boolean {
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}
