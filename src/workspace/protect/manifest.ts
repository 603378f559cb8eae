import { isDeepStrictEqual } from 'node:util';

/** Keys of package.json that determine how tools run and how imports resolve. */
const PROTECTED_KEYS = [
  'scripts',
  'jest',
  'mocha',
  'ava',
  'vitest',
  'nyc',
  'c8',
  'babel',
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
];

export interface ManifestRepair {
  /** The repaired text. */
  readonly text: string;
  /** Protected keys that were restored; never empty. */
  readonly keys: readonly string[];
}

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Restores the protected keys of a package.json from the base; other keys, the order of keys, the indentation and the
 * final line end stay. Null if no protected key was changed; the base's whole text if the new text is not a JSON object.
 */
export function repairManifest(base: string, current: string): ManifestRepair | null {
  const before = parseObject(base);
  const after = parseObject(current);
  if (before === undefined) return base === current ? null : { text: base, keys: PROTECTED_KEYS };
  if (after === undefined) return { text: base, keys: PROTECTED_KEYS };
  const keys = PROTECTED_KEYS.filter((key) => !isDeepStrictEqual(valueOf(before, key), valueOf(after, key)));
  if (keys.length === 0) return null;
  const merged = merge(before, after, new Set(keys));
  return { text: isDeepStrictEqual(merged, before) ? base : render(merged, current), keys };
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
