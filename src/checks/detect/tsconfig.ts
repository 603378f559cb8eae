import { resolve } from 'node:path';
import { readTsconfig, tsconfigPath } from '../run/tsconfig.ts';

/**
 * Whether `tsc` with these arguments, run in `dir` (absolute), writes files: then it is a build step and not a
 * check. `noEmit` may be set on the command line, in the tsconfig file or in one that it extends.
 */
export function emitsFiles(args: readonly string[], dir: string): boolean {
  if (args.includes('--noEmit') && args[args.indexOf('--noEmit') + 1] !== 'false') return false;
  const projects = projectsOf(args);
  if (!isBuild(args) && projects.length === 0 && namesFiles(args)) return true;
  const configs = projects.length === 0 ? ['tsconfig.json'] : projects;
  return configs.some(
    (config) => readTsconfig(tsconfigPath(resolve(dir, config)))?.compilerOptions?.noEmit !== true,
  );
}

/** Whether the arguments name source files. */
export function namesFiles(args: readonly string[]): boolean {
  return args.some((word) => /^[^-].*\.[cm]?tsx?$/.test(word));
}

const CHECKS_NOTHING = new Set(['--clean', '--init', '--showConfig', '--version', '-v', '--help', '-h']);

/** Whether `tsc` with these arguments checks files: not with `--clean`, `--init` and the like. */
export function checksFiles(args: readonly string[]): boolean {
  return !args.some((word) => CHECKS_NOTHING.has(word));
}

/** The projects that `-p` or `--project` names, or the operands after `-b`. */
export function projectsOf(args: readonly string[]): string[] {
  const at = args.findIndex((word) => word === '-p' || word === '--project');
  if (at !== -1) return args.slice(at + 1, at + 2);
  return isBuild(args) ? args.filter((word) => !word.startsWith('-')) : [];
}

/** Whether the arguments ask for `tsc --build`. */
export function isBuild(args: readonly string[]): boolean {
  return args.includes('-b') || args.includes('--build');
}
