import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const MAX_EXTENDS = 10;

/**
 * Whether `tsc` with these arguments (as typed, in the absolute folder `dir`) writes files: a build step, not
 * a check. `noEmit` may stand on the command line or in the tsconfig, by `extends` too.
 */
export function emitsFiles(args: readonly string[], dir: string): boolean {
  if (args.includes('--noEmit') && args[args.indexOf('--noEmit') + 1] !== 'false') return false;
  const builds = args.includes('-b') || args.includes('--build');
  const projects = projectsOf(args);
  const configs = projects.length === 0 ? ['tsconfig.json'] : projects;
  if (!builds && projects.length === 0 && args.some((word) => /^[^-].*\.[cm]?tsx?$/.test(word))) return true;
  return configs.some((config) => readNoEmit(configPath(resolve(dir, config))) !== true);
}

/** The projects that `-p`, `--project` or, after `-b`, the bare words name. */
export function projectsOf(args: readonly string[]): string[] {
  const at = args.findIndex((word) => word === '-p' || word === '--project');
  if (at !== -1) return args.slice(at + 1, at + 2);
  const builds = args.includes('-b') || args.includes('--build');
  return builds ? args.filter((word) => !word.startsWith('-')) : [];
}

/** A project may be named by its file or by its folder. */
export function configPath(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? join(path, 'tsconfig.json')
    : path;
}

function readNoEmit(path: string, depth = 0): boolean | undefined {
  const config = readJsonc(path);
  const own = config?.compilerOptions?.noEmit;
  if (own !== undefined || config?.extends === undefined || depth === MAX_EXTENDS) return own;
  const bases = [config.extends].flat().filter((base) => typeof base === 'string' && base.startsWith('.'));
  return bases
    .toReversed()
    .map((base) => readNoEmit(withExtension(resolve(dirname(path), base)), depth + 1))
    .find((it) => it !== undefined);
}

function withExtension(path: string): string {
  return path.endsWith('.json') ? path : `${path}.json`;
}

interface TsconfigFields {
  readonly extends?: string | readonly string[];
  readonly compilerOptions?: { readonly noEmit?: boolean };
}

function readJsonc(path: string): TsconfigFields | undefined {
  try {
    return JSON.parse(stripJsonComments(readFileSync(path, 'utf8'))) as TsconfigFields;
  } catch {
    return undefined;
  }
}

/** JSON with comments and trailing commas, as tsconfig files have it → JSON. */
export function stripJsonComments(text: string): string {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? ' ');
  return plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, quoted?: string) => quoted ?? '');
}
