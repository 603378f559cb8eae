import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** Keys of package.json that list packages, with a version for each. */
export const PACKAGE_LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

type Entries = Readonly<Record<string, unknown>>;

/** A version or a tag of a registry, or a package of the same workspace: no address, no folder and no other name. */
const PLAIN_VERSION = /^(?:workspace:|catalog:)?[\w.\-+~^<>=|* ]*$/;

/**
 * The packages that a list of package.json names now and did not name before, if that is the only difference and each has a
 * plain version; undefined if the lists differ in another way.
 */
export function packagesAdded(before: unknown, after: unknown): readonly string[] | undefined {
  const [then, now] = [before ?? {}, after ?? {}];
  if (!isEntries(then) || !isEntries(now)) return undefined;
  if (!Object.keys(then).every((name) => now[name] === then[name])) return undefined;
  const added = Object.keys(now).filter((name) => !Object.hasOwn(then, name));
  const arePlain = added.every((name) => typeof now[name] === 'string' && PLAIN_VERSION.test(now[name]));
  return arePlain ? added : undefined;
}

/** Every package that the text of a package.json names in one of its lists, and the one before did not. */
export function addedPackages(before: string, after: string): readonly string[] {
  const [then, now] = [parseEntries(before), parseEntries(after)];
  const namesIn = (manifest: Entries | undefined): string[] =>
    PACKAGE_LISTS.flatMap((list) => {
      const value = manifest?.[list];
      return isEntries(value) ? Object.keys(value) : [];
    });
  const known = new Set(namesIn(then));
  return [...new Set(namesIn(now))].filter((name) => !known.has(name));
}

/**
 * Whether a lock file has only got further packages of a registry or of the workspace: every package that it named is the same, but
 * for the version of one's own. False for a format that is not read here.
 */
export function locksMoreOnly(path: string, before: string, after: string): boolean {
  const name = posix.basename(path);
  if (name === 'package-lock.json' || name === 'npm-shrinkwrap.json') return npmLocksMoreOnly(before, after);
  return TEXT_LOCKS.has(name) && keepsLines(before, after);
}

/** Lock files with one fact in a line. */
const TEXT_LOCKS = new Set(['yarn.lock', 'pnpm-lock.yaml', 'bun.lock']);

/** Every line is still there, in the same order; a comma at its end says only that another one follows. */
function keepsLines(before: string, after: string): boolean {
  const linesOf = (text: string): string[] => text.split(/\r?\n/).map((line) => line.replace(/,$/, ''));
  const now = linesOf(after);
  let at = 0;
  return linesOf(before).every((line) => {
    at = now.indexOf(line, at) + 1;
    return at > 0;
  });
}

/** npm's lock file from version 2 on has every folder of a package under `packages`. */
function npmLocksMoreOnly(before: string, after: string): boolean {
  const [then, now] = [parseEntries(before), parseEntries(after)];
  if (then?.['lockfileVersion'] !== now?.['lockfileVersion']) return false;
  const [packagesThen, packagesNow] = [then?.['packages'], now?.['packages']];
  if (!isEntries(packagesThen) || !isEntries(packagesNow)) return false;
  const isKept = Object.keys(packagesThen).every((path) =>
    isSamePackage(path, packagesThen[path], packagesNow[path]),
  );
  const added = Object.keys(packagesNow).filter((path) => !Object.hasOwn(packagesThen, path));
  const isShort = leavesOutAddresses(packagesThen);
  const isAllowed = (path: string): boolean =>
    isNewPackage(path, packagesNow[path], { known: packagesThen, isShort }) ||
    isNewFolder(path, added, packagesNow) ||
    isNewLink(path, added, { known: packagesThen, now: packagesNow });
  return isKept && added.every(isAllowed);
}

/** A package of the workspace whose folder is new; npm has a link to it as well. */
function isNewFolder(path: string, added: readonly string[], now: Entries): boolean {
  const isInside = path !== '' && !path.startsWith('/') && !path.split('/').includes('..');
  const isOwn = isInside && !path.includes('node_modules/') && isEntries(now[path]);
  return isOwn && added.some((other) => targetOf(now[other]) === path);
}

/** A link to such a folder, under a name by which no package was found before. */
function isNewLink(
  path: string,
  added: readonly string[],
  { known, now }: { readonly known: Entries; readonly now: Entries },
): boolean {
  const at = path.lastIndexOf('node_modules/');
  const target = targetOf(now[path]);
  const isOwn = at !== -1 && target !== undefined && added.includes(target);
  return isOwn && isNewFolder(target, added, now) && !isShadowing(path.slice(0, at), path.slice(at), known);
}

/** The folder that a link leads to; undefined for another entry. */
function targetOf(entry: unknown): string | undefined {
  if (!isEntries(entry) || entry['link'] !== true) return undefined;
  return typeof entry['resolved'] === 'string' ? entry['resolved'] : undefined;
}

/** What npm notes about who needs a package changes with each new one. */
const NEEDED_BY = ['dev', 'optional', 'devOptional', 'peer'];

function isSamePackage(path: string, before: unknown, after: unknown): boolean {
  if (!isEntries(before) || !isEntries(after)) return false;
  const isInstalled = path.includes('node_modules/');
  // The version of one's own package says nothing about what is installed.
  const free = isInstalled ? [...NEEDED_BY, ...addressAdded(before, after)] : [...PACKAGE_LISTS, 'version'];
  const addsOnly = isInstalled || PACKAGE_LISTS.every((list) => packagesAdded(before[list], after[list]));
  return addsOnly && isDeepStrictEqual(without(before, free), without(after, free));
}

/** npm adds the address that was left out for a package that is named in a list now; its checksum says that it is the same. */
function addressAdded(before: Entries, after: Entries): readonly string[] {
  const { resolved, integrity } = after;
  const isSame = typeof integrity === 'string' && integrity === before['integrity'];
  const isOfRegistry = typeof resolved === 'string' && /^https?:/.test(resolved);
  return isSame && isOfRegistry && before['resolved'] === undefined ? ['resolved'] : [];
}

/** Whether npm was told to write no addresses of packages (`omit-lockfile-registry-resolved`): it leaves out those of a registry. */
function leavesOutAddresses(packages: Entries): boolean {
  const entries = Object.keys(packages).filter((path) => path.includes('node_modules/'));
  const locked = entries
    .map((path) => packages[path])
    .filter((entry) => isEntries(entry) && entry['link'] !== true);
  return locked.length > 0 && locked.every((entry) => (entry as Entries)['resolved'] === undefined);
}

interface Locked {
  /** The packages that were there. */
  readonly known: Entries;
  /** The lock file has no addresses. */
  readonly isShort: boolean;
}

/** A package of a registry, under its own name, that stands in the way of no package that was there. */
function isNewPackage(path: string, entry: unknown, { known, isShort }: Locked): boolean {
  const at = path.lastIndexOf('node_modules/');
  if (at === -1 || !isEntries(entry) || entry['link'] === true) return false;
  const { resolved, integrity, name } = entry;
  const isOfRegistry =
    typeof integrity === 'string' &&
    (resolved === undefined ? isShort : typeof resolved === 'string' && /^https?:/.test(resolved));
  return isOfRegistry && name === undefined && !isShadowing(path.slice(0, at), path.slice(at), known);
}

/** Whether a folder that was there would find this package in place of another one, which lies further up. */
function isShadowing(owner: string, own: string, known: Entries): boolean {
  if (!Object.hasOwn(known, owner.replace(/\/$/, ''))) return false;
  const above = owner.split('/').slice(0, -1);
  return above.some((_, depth) => {
    const folder = above.slice(0, depth).join('/');
    return Object.hasOwn(known, posix.join(folder, own));
  });
}

function without(entries: Entries, keys: readonly string[]): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)));
}

function parseEntries(text: string): Entries | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEntries(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
