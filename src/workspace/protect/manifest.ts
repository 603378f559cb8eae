import { isDeepStrictEqual } from 'node:util';
import { PACKAGE_LISTS, packagesAdded } from './added-packages.ts';
import { DELIVERY_KEYS, redirectedKeys, type IsThere } from './packaging.ts';

/** Keys of package.json that determine how tools run, how imports resolve and what is delivered. */
const PROTECTED_KEYS = [
  'scripts',
  'jest',
  'mocha',
  'ava',
  'vitest',
  'nyc',
  'c8',
  'babel',
  'postcss',
  'tap',
  'eslintConfig',
  'eslintIgnore',
  'type',
  'imports',
  'workspaces',
  'overrides',
  'resolutions',
  'pnpm',
  'packageManager',
  'ralph',
  ...DELIVERY_KEYS,
];

/** What the base has beside a package.json. */
export interface ManifestSurroundings {
  readonly isThere: IsThere;
  /** There is a lock file that may not be changed: the lists of packages, which must agree with it, go back with it. */
  readonly isLocked: boolean;
  /** Packages that are only added to these lists stay. Default false. */
  readonly mayAddPackages?: boolean;
}

export interface ManifestRepair {
  /** The repaired text. */
  readonly text: string;
  /** Protected keys that were restored; never empty. */
  readonly keys: readonly string[];
}

/** Conditions of `exports` by which a package is loaded in the same way with and without a test runner. */
const PLAIN_CONDITIONS = new Set(['types', 'import', 'require', 'default', 'module-sync']);

type Manifest = Readonly<Record<string, unknown>>;

const NO_SURROUNDINGS: ManifestSurroundings = { isThere: () => false, isLocked: false };

/**
 * Restores the protected keys of a package.json from the base; other keys, the order of keys, the indentation and the
 * final line end stay. Null if no protected key was changed; the base's whole text if the new text is not a JSON object.
 * `isThere` tells which files the base has in the folder of the package. With a lock file that goes back, the lists of
 * dependencies go back too.
 */
export function repairManifest(
  base: string,
  current: string,
  { isThere, isLocked, mayAddPackages = false }: ManifestSurroundings = NO_SURROUNDINGS,
): ManifestRepair | null {
  const before = parseObject(base);
  const after = parseObject(current);
  if (before === undefined) return base === current ? null : { text: base, keys: PROTECTED_KEYS };
  if (after === undefined) return { text: base, keys: PROTECTED_KEYS };
  const isChanged = (key: string): boolean => !isDeepStrictEqual(valueOf(before, key), valueOf(after, key));
  const addsOnly = (key: string): boolean =>
    mayAddPackages && packagesAdded(valueOf(before, key), valueOf(after, key)) !== undefined;
  const lists = isLocked ? PACKAGE_LISTS.filter((key) => !addsOnly(key)) : [];
  const keys = [...PROTECTED_KEYS, ...lists].filter(isChanged);
  if (isChanged('exports') && hasNewConditions(before['exports'], after['exports'])) keys.push('exports');
  for (const key of redirectedKeys(before, after, isThere)) if (!keys.includes(key)) keys.push(key);
  if (keys.length === 0) return null;
  const merged = merge(before, after, new Set(keys));
  return { text: isDeepStrictEqual(merged, before) ? base : render(merged, current), keys };
}

/**
 * True if `exports` depends on conditions that it did not depend on, such as `node` or `development`: a test runner may set
 * one that the product's users do not set.
 */
function hasNewConditions(before: unknown, after: unknown): boolean {
  const known = new Set(conditionsIn(before));
  return conditionsIn(after).some((name) => !PLAIN_CONDITIONS.has(name) && !known.has(name));
}

function conditionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) || key.startsWith('.') ? [] : [key]),
    ...conditionsIn(inner),
  ]);
}

function merge(before: Manifest, after: Manifest, keys: ReadonlySet<string>): Manifest {
  const entries = Object.entries(after)
    .filter(([key]) => !keys.has(key) || Object.hasOwn(before, key))
    .map(([key, value]): [string, unknown] => [key, keys.has(key) ? before[key] : value]);
  const order = Object.keys(before);
  for (const key of order.filter((name) => keys.has(name) && !Object.hasOwn(after, name))) {
    entries.splice(insertionIndex(key, order, entries), 0, [key, before[key]]);
  }
  return Object.fromEntries(entries);
}

/** Index after the nearest preceding key of the base that is present. */
function insertionIndex(
  key: string,
  order: readonly string[],
  entries: readonly [string, unknown][],
): number {
  const earlier = order.slice(0, order.indexOf(key)).reverse();
  const at = earlier.map((name) => entries.findIndex(([present]) => present === name));
  return (at.find((index) => index !== -1) ?? -1) + 1;
}

function render(manifest: Manifest, like: string): string {
  const indent = /\n([ \t]+)"/.exec(like)?.[1] ?? '';
  const text = JSON.stringify(manifest, null, indent);
  const lines = like.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  return lines + (/\r?\n$/.exec(like)?.[0] ?? '');
}

function valueOf(manifest: Manifest, key: string): unknown {
  return Object.hasOwn(manifest, key) ? manifest[key] : undefined;
}

function parseObject(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}
