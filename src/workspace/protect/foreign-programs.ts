import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';

/** A program that pnpm writes in the place of a link. */
const SHIM = /^\s*exec .*"\$basedir\//m;
/** Programs for Windows, which lie beside those for other systems. */
const FOR_WINDOWS = /\.(?:cmd|ps1|exe)$/;

/**
 * The first program in `node_modules/.bin` that was put there since a time and belongs to no installed package; relative to the
 * repository. The scripts of a package find it before the programs of the system: one that is called `node` takes their place.
 */
export function foreignProgram(repository: string, installed: string, sinceMs: number): string | undefined {
  const folder = posix.join(installed, '.bin');
  return namesIn(join(repository, folder))
    .filter((name) => !FOR_WINDOWS.test(name))
    .map((name) => posix.join(folder, name))
    .find((path) => isForeign(join(repository, path), posix.basename(path), sinceMs));
}

function isForeign(path: string, name: string, sinceMs: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.ctimeMs <= sinceMs || found.isDirectory()) return false;
  if (!found.isSymbolicLink()) return !SHIM.test(textOf(path));
  const folder = dirname(path);
  return !offersProgram(dirname(resolve(folder, readlinkSync(path))), name, dirname(folder));
}

/** Whether a package around a folder has a program of this name. The folder of the packages, and what is above it, is no package. */
function offersProgram(folder: string, name: string, packages: string): boolean {
  for (let at = folder; at.length > packages.length && at !== dirname(at); at = dirname(at))
    if (programsOf(textOf(join(at, 'package.json'))).includes(name)) return true;
  return false;
}

/** The names of the programs that a package.json declares; of one that declares a single one, the name of the package. */
function programsOf(manifest: string): string[] {
  const { name, bin } = parsed(manifest);
  if (typeof bin === 'object' && bin !== null) return Object.keys(bin);
  return typeof bin === 'string' && typeof name === 'string' ? [name.replace(/^@[^/]*\//, '')] : [];
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
