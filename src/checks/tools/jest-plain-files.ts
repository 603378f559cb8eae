import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { hasOption } from '../run/arguments.ts';
import type { RunnerCall } from './test-check.ts';

/** https://jestjs.io/docs/configuration#transformignorepatterns-arraystring */
const DEFAULT_IGNORED = ['/node_modules/', String.raw`\.pnp\.[^\/]+$`];
const BABEL_FILE = /^(babel\.config\.|\.babelrc)/;
const JEST_FILE = /^jest\.config\./;
/** A configuration that says how sources are transformed, or may have it from another file. */
const TRANSFORMING = /\b(transform(IgnorePatterns)?|preset|projects)\b|\brequire\s*\(|\bimport\b/;

/**
 * Spares plain files the default transformation of Jest, which leaves them as they are and takes a second for a source with a
 * thousand edits. Where Babel or Jest is configured to transform, every file is transformed.
 */
export function plainFileArguments({ request, plan, cwd }: RunnerCall): string[] {
  const files = (request.plainFiles ?? []).map((file) => resolve(request.root, file));
  if (
    files.length === 0 ||
    hasOption(plan.args, 'transformIgnorePatterns', 'transform', 'preset', 'projects')
  )
    return [];
  const configs = plan.config === undefined ? [] : [resolve(request.root, plan.config)];
  const folders = new Set([cwd, ...files.flatMap((file) => foldersUpTo(cwd, dirname(file)))]);
  if ([...folders].some(hasBabel) || jestTexts(cwd, configs).some((text) => TRANSFORMING.test(text)))
    return [];
  const own = files.map((file) => `^${escapeRegExp(file)}$`);
  return [...DEFAULT_IGNORED, ...own].map((pattern) => `--transformIgnorePatterns=${pattern}`);
}

/** The folder and those around it, up to `last`; only `folder` where it is outside. */
function foldersUpTo(last: string, folder: string): string[] {
  const isInside = folder.startsWith(`${last}/`);
  return isInside ? [folder, ...foldersUpTo(last, dirname(folder))] : [folder];
}

function hasBabel(folder: string): boolean {
  const names = readdirSync(folder);
  if (names.some((name) => BABEL_FILE.test(name))) return true;
  return names.includes('package.json') && manifestOf(folder)['babel'] !== undefined;
}

/** The texts of Jest's configuration. */
function jestTexts(folder: string, configs: readonly string[]): string[] {
  const names = readdirSync(folder);
  const files = [
    ...names.filter((name) => JEST_FILE.test(name)).map((name) => join(folder, name)),
    ...configs,
  ];
  const own = names.includes('package.json') ? JSON.stringify(manifestOf(folder)['jest'] ?? {}) : '';
  const others = files.filter((file) => !file.endsWith('package.json'));
  return [own, ...new Set(others)].map((text, index) => (index === 0 ? text : readTreeTextSync(text)));
}

function manifestOf(folder: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readTreeTextSync(join(folder, 'package.json'))) as Record<string, unknown>;
  } catch {
    return { babel: 'unknown' };
  }
}
