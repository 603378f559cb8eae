import { join, posix, relative } from 'node:path';
import picomatch from 'picomatch';
import { runGit } from '../../platform/git/git.ts';
import { readTsconfig, tsconfigPath } from '../run/tsconfig.ts';
import { scopeOf } from './scripts/check-scripts.ts';
import { relativeTo } from './packages/manifest.ts';
import type { CheckDraft, PackageContext } from './packages/package-context.ts';
import { expandScript } from './scripts/steps.ts';
import type { Step } from './scripts/step.ts';
import { emitsFiles, projectsOf } from './tsconfig.ts';

/** Test files that only a compiler writes. */
export interface BuiltTests {
  /** Their folder, or the only file, relative to the package. */
  readonly place: string;
  /** The script that compiles them. */
  readonly script: string;
}

/** Programs of a script that does nothing but compile, beside tsc itself. */
const FILE_PROGRAMS = new Set([
  'rimraf',
  'rm',
  'shx',
  'del',
  'del-cli',
  'mkdir',
  'mkdirp',
  'cp',
  'cpx',
  'cpy',
]);

/**
 * The folder, or the file of the package's own folder, that the arguments of the test checks name, that git ignores and that a
 * script compiles with tsc; undefined if there is none. Without the script a copy of the tree has no test. Never rejects.
 */
export async function findBuiltTests(
  place: PackageContext,
  tests: readonly CheckDraft[],
): Promise<BuiltTests | undefined> {
  const named = [...new Set(tests.flatMap(({ args }) => args).flatMap(placesIn))];
  if (named.length === 0) return undefined;
  for (const { folder, script } of compilingScripts(place)) {
    const written = named.filter((it) => (folder === '.' ? SCRIPT_FILE.test(it) : it === folder));
    for (const it of written) {
      const path = posix.join(relativeTo(place.root, place.dir), it, folder === '.' ? '' : 'a.js');
      const { exitCode } = await runGit(['check-ignore', '-q', path], { cwd: place.root });
      if (exitCode === 0) return { place: it, script };
    }
  }
  return undefined;
}

const SCRIPT_FILE = /\.[cm]?js$/;

/** The first folder of each file and pattern that an argument or a command line names; the file where it has no folder. */
function placesIn(arg: string): string[] {
  const words = arg.split(/\s+/).map((word) => word.replaceAll(/^['"]|['"]$/g, ''));
  return words.flatMap((word) => {
    if (word.startsWith('-')) return [];
    if (!word.includes('/')) return SCRIPT_FILE.test(word) ? [word] : [];
    const [first = ''] = posix.normalize(picomatch.scan(word).base).split('/');
    return first === '' || first === '.' || first === '..' ? [] : [first];
  });
}

interface CompilingScript {
  /** Relative to the package; `.` is the package itself. */
  readonly folder: string;
  readonly script: string;
}

/** Scripts that compile into a folder of the package and do nothing else, shorter ones first. */
function compilingScripts(place: PackageContext): CompilingScript[] {
  const found = Object.keys(place.manifest.scripts).flatMap((script) => {
    const steps = expandScript(script, scopeOf(place));
    const compilers = steps.filter(({ program }) => program === 'tsc');
    const isPure = steps.every((step) => step.program === 'tsc' || FILE_PROGRAMS.has(step.program));
    if (!isPure || steps.some(({ watches }) => watches)) return [];
    return compilers
      .flatMap((step) => outputOf(step, place.dir))
      .map((folder) => ({ folder, script, steps }));
  });
  return found.sort((a, b) => a.steps.length - b.steps.length);
}

/** The folder of a package that a step of tsc writes to. */
function outputOf({ args, dir }: Step, packageDir: string): string[] {
  if (!emitsFiles(args, dir)) return [];
  const project = tsconfigPath(join(dir, projectsOf(args)[0] ?? 'tsconfig.json'));
  const outDir = readTsconfig(project)?.compilerOptions?.outDir;
  if (outDir === undefined) return [];
  const [first = ''] = relative(packageDir, join(project, '..', outDir)).split('/');
  return first === '..' ? [] : [first === '' ? '.' : first];
}
