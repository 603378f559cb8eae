import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownProgram } from './arguments.ts';
import { relativeTo } from './manifest.ts';

const scripts = (name: string, extensions: string): string[] =>
  extensions.split(' ').map((extension) => `${name}.${extension}`);

/** Names of each tool's configuration files, the one that wins first. */
const NAMES: Readonly<Record<KnownProgram, readonly string[]>> = {
  vitest: [
    ...scripts('vitest.config', 'ts mts cts js mjs cjs'),
    ...scripts('vite.config', 'ts mts cts js mjs cjs'),
  ],
  jest: scripts('jest.config', 'js ts mjs mts cjs cts json'),
  mocha: scripts('.mocharc', 'cjs js mjs yaml yml jsonc json'),
  ava: scripts('ava.config', 'js cjs mjs'),
  node: ['node.config.json'],
  tsc: ['tsconfig.json'],
  eslint: scripts('eslint.config', 'js mjs cjs ts mts cts'),
};

/** Options that name the configuration file on the command line. */
const OPTIONS: Readonly<Partial<Record<KnownProgram, readonly string[]>>> = {
  vitest: ['-c', '--config'],
  jest: ['-c', '--config'],
  mocha: ['--config'],
  ava: ['--config'],
  eslint: ['-c', '--config'],
  tsc: ['-p', '--project'],
};

/**
 * The configuration file that a tool started in `dir` (absolute) with these arguments uses, relative to the
 * root; `undefined` where it has none.
 */
export function findConfig(
  program: KnownProgram,
  place: { readonly dir: string; readonly root: string },
  args: readonly string[] = [],
): string | undefined {
  const named = optionValue(args, OPTIONS[program] ?? []);
  const found = [named, ...NAMES[program]].find(
    (name) => name !== undefined && existsSync(join(place.dir, name)),
  );
  return found === undefined ? undefined : relativeTo(place.root, join(place.dir, found));
}

function optionValue(args: readonly string[], names: readonly string[]): string | undefined {
  const at = args.findIndex((word) => names.includes(word.replace(/=.*$/s, '')));
  return at === -1 ? undefined : (/=(.*)$/s.exec(args[at]!)?.[1] ?? args[at + 1]);
}
