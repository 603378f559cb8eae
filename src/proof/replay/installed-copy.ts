import { cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { PackedPackage } from '../delivery/packed-package.ts';

/** Most files and bytes that are copied. */
const MAX_FILES = 3_000;
const MAX_BYTES = 30_000_000;

/** Files that users of a package do not have, and installed packages. */
const NOT_COPIED =
  /(^|\/)(node_modules|\.git|\.aiwg|coverage|tests?|__tests__|specs?|e2e)(\/|$)|\.(test|spec)\.[^/]+$/;

/** Folders of installed packages, of git and of ralph. */
const OF_GIT = /(^|\/)(node_modules|\.git|\.aiwg)(\/|$)/;

/** Files that a repository in use has and a fresh checkout has not. */
const OF_CHECKOUT: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/COMMIT_EDITMSG': 'Change\n',
  '.git/ORIG_HEAD': `${'1'.repeat(40)}\n`,
  '.git/FETCH_HEAD': '',
  '.git/logs/HEAD': '',
  '.git/hooks/pre-commit': '#!/bin/sh\n',
  '.git/refs/stash': `${'1'.repeat(40)}\n`,
  '.aiwg/ralph/state.json': '{}\n',
};

/**
 * Copies the repository at `root` as a developer has it: with tests, the files of git and those of ralph. Returns the
 * absolute path of the copy; undefined if the repository is too large or cannot be copied.
 */
export function copyAsCheckout(root: string, folder: string): string | undefined {
  const copy = copyTo(root, join(folder, 'projects', basename(root)), OF_GIT);
  if (copy === undefined) return undefined;
  for (const [path, text] of Object.entries(OF_CHECKOUT)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copy;
}

/** Dependencies that are links to folders of the repository. */
const LINKED = /"workspaces"\s*:|"(file|link|portal|workspace):/;

/** True if a copy of the repository needs nothing of it: it can be copied, and no installed package is a link into it. */
export function standsAlone(root: string): boolean {
  try {
    const hasLinks =
      existsSync(join(root, 'pnpm-workspace.yaml')) ||
      LINKED.test(readTreeTextSync(join(root, 'package.json')));
    return !hasLinks && filesIn(root, OF_GIT) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Copies the repository at `root` as its users have it: below `node_modules` of a folder, without tests. Returns the
 * absolute path of the copy; undefined if the repository is too large or cannot be copied.
 */
export function copyAsInstalled(root: string, folder: string): string | undefined {
  return copyTo(root, join(folder, 'node_modules', ...nameOf(root).split('/')), NOT_COPIED);
}

/** The files in a folder by which users load a package: with `import`, and with `require`. */
export const ENTRIES = { import: 'entry.mjs', require: 'entry.cjs' } as const;

/**
 * Copies a package as users get it: the packed files alone, below `node_modules` of a folder, with the packages that it
 * depends on, and beside that the modules of `ENTRIES`. Returns the absolute path of the copy; undefined if it is too large or
 * cannot be copied.
 */
export function copyAsPacked(root: string, folder: string, packed: PackedPackage): string | undefined {
  const { name, files, dependencies } = packed;
  const from = join(root, packed.folder);
  const copy = join(folder, 'node_modules', ...name.split('/'));
  try {
    const bytes = files.reduce((sum, file) => sum + statSync(join(from, file)).size, 0);
    if (files.length > MAX_FILES || bytes > MAX_BYTES) return undefined;
    for (const file of files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(from, file), join(copy, file));
    }
    for (const it of dependencies) {
      const installed = [from, root].map((at) => join(at, 'node_modules', it)).find((at) => existsSync(at));
      if (installed === undefined) continue;
      const link = join(copy, 'node_modules', it);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(installed, link);
    }
    const quoted = JSON.stringify(name);
    writeFileSync(
      join(folder, ENTRIES.import),
      `import * as all from ${quoted};\nexport default all.default;\nexport * from ${quoted};\n`,
    );
    writeFileSync(join(folder, ENTRIES.require), `module.exports = require(${quoted});\n`);
    return copy;
  } catch {
    return undefined;
  }
}

function copyTo(root: string, copy: string, without: RegExp): string | undefined {
  try {
    const files = filesIn(root, without);
    if (files === undefined) return undefined;
    for (const file of files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
    }
    const packages = join(root, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(copy, 'node_modules'));
    return copy;
  } catch {
    return undefined;
  }
}

/** Files relative to the root; undefined if there are too many. */
function filesIn(root: string, without: RegExp): string[] | undefined {
  const found: string[] = [];
  let bytes = 0;
  const open = [''];
  for (const at of open) {
    for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (without.test(path)) continue;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) {
        found.push(path);
        bytes += statSync(join(root, path)).size;
      }
      if (found.length > MAX_FILES || bytes > MAX_BYTES) return undefined;
    }
  }
  return found;
}

/** The name in package.json, or that of the folder. */
function nameOf(root: string): string {
  try {
    const { name } = JSON.parse(readTreeTextSync(join(root, 'package.json'))) as { name?: unknown };
    if (typeof name === 'string' && /^(@[\w.-]+\/)?\w[\w.-]*$/.test(name)) return name;
  } catch {
    // A folder without a readable package.json.
  }
  return basename(root);
}
