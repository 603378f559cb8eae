import { join, posix } from 'node:path';
import { textOf } from '../../../platform/files/text-of.ts';
import { escapeRegExp } from '../../../platform/text/escape-regexp.ts';

/** Files in which a package may say that its own name means its sources. */
const ALIASES = [
  'vitest.config.ts',
  'vitest.config.mts',
  'vitest.config.js',
  'vitest.config.mjs',
  'vite.config.ts',
  'vite.config.mts',
  'vite.config.js',
  'vite.config.mjs',
  'jest.config.js',
  'jest.config.cjs',
  'jest.config.mjs',
  'jest.config.ts',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.test.json',
  'test/tsconfig.json',
];

/** Conditions under which Node and the test runners load an entry, in the order of preference. */
const CONDITIONS = ['node', 'import', 'module', 'default', 'require'];

/**
 * The file that a package's own name leads to, relative to the package; undefined without a name or `exports`, which Node
 * needs for this, or if a configuration gives the name another meaning.
 */
export function ownEntry(dir: string): { readonly name: string; readonly file: string } | undefined {
  const { name, exports, jest } = manifestOf(dir);
  if (typeof name !== 'string' || name === '') return undefined;
  const file = targetOf(rootOf(exports));
  if (typeof file !== 'string' || file.startsWith('../')) return undefined;
  const named = new RegExp(String.raw`['"\`^/]${escapeRegExp(name)}['"\`$/]`);
  const settings = [...ALIASES.map((path) => textOf(join(dir, path))), JSON.stringify(jest ?? '')];
  return settings.some((text) => named.test(text)) ? undefined : { name, file: posix.normalize(file) };
}

function rootOf(exports: unknown): unknown {
  const isMap = typeof exports === 'object' && exports !== null && Object.hasOwn(exports, '.');
  return isMap ? (exports as Record<string, unknown>)['.'] : exports;
}

/** The first file of an `exports` value under the conditions. */
function targetOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // A condition that only this repository sets may lead to the sources.
  const known = ['types', 'browser', 'deno', 'bun', 'worker', 'react-native', ...CONDITIONS];
  if (Object.keys(value).some((key) => !known.includes(key))) return undefined;
  const condition = CONDITIONS.find((it) => Object.hasOwn(value, it));
  return condition === undefined ? undefined : targetOf((value as Record<string, unknown>)[condition]);
}

function manifestOf(dir: string): Record<string, unknown> {
  try {
    return JSON.parse(textOf(join(dir, 'package.json'))) as Record<string, unknown>;
  } catch {
    return {};
  }
}
