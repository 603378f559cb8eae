import { posix } from 'node:path';
import type { CheckPlan, CommandPlan, ProjectPlan } from '../../ports/plan.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { TreeFile, TreeReader } from '../snapshots/snapshots.ts';
import { isSource } from './configuration.ts';
import { isTest } from './protected-paths.ts';
import { fileAt, importsIn, productOf, sourcedBy } from './imported-files.ts';
import { CHECKING, isInCheckFolder, isShellProgram, mayJudge, PROGRAM } from './judging-paths.ts';
import { dataOfFolders, isNamedIn } from './data-folders.ts';
import { linesOf, readManifests } from './scripts-and-entries.ts';
import { BUILD_CALL, BUILD_FILES, DATA, filesIn, namedPrograms, startedBy } from './started-programs.ts';

/** The command lines that judge a result, and the task that it is for. */
export interface Judges {
  readonly commands: readonly CommandPlan[];
  /** Files that it names may be changed. */
  readonly task: string;
}

const MAX_DEPTH = 5;
/** A folder of programs of the product. */
const IN_BIN = /(^|\/)bin\//;
const SHEBANG = /^#!/;
/** Programs that are no part of a JavaScript product. */
const FOREIGN = /\.(py|rb|pl)$/;
/** Usual names of a program's own entry. */
const ENTRY = /(^|\/)(index|main|cli|app|server|bin)\.[^/]+$/;
/** An import of an assertion library. */
const ASSERTIONS = /\b(?:from|import|require)\s*\(?\s*(['"])(?:(?:node:)?assert(?:\/strict)?|chai|expect)\1/;
/** A program that ends with an exit code of its own choice. */
const ENDS = /\bprocess\.exit(?:Code\b|\s*\()|^(?:if \(.*\) ?\{?\s*)?throw\b/m;
const COMPARES = /[!=]==?[^=>]|\b(?:every|some|includes|isDeepStrictEqual)\(/;
/** A module with more than values in it. */
const CODE = /=>|\b(?:function|class|import|require)\b/;
/** What a program of a product asks its user for. */
const ASKS = /\bprocess\.(?:argv|stdin)\b|\bparseArgs\b|\.listen\(/;
const IMPORTS = /\b(?:from|import|require|source)\s*\(?\s*['"]?\.{1,2}\//;

/** The commands of a project's checks, with their set-up, the one that confirms, and those that judge other tasks. */
export function judgesOf({ checks, testCommand, judging = [] }: ProjectPlan, task: string): Judges {
  const commands = checks.flatMap(({ args, cwd, setup }: CheckPlan) =>
    [args.join(' '), ...setup].map((command) => ({ command, cwd })),
  );
  const confirming = testCommand === undefined ? [] : [testCommand];
  return { commands: [...commands, ...confirming, ...judging], task };
}

/**
 * Files of the base that the commands run, directly or through the scripts of package.json, and that check the product
 * rather than belong to it: shell scripts and what these run, Makefiles, programs with the name or the place of a check and
 * what these import from such places, data that `diff` compares with, modules that an option loads first, and programs that
 * assert something about what they import, or compare it and choose their exit code; the latter two only if the entries of
 * their package do not reach them. Paths are relative to the root.
 */
export async function namedByCommands(
  { commands, task }: Judges,
  base: TreeId,
  snapshots: TreeReader,
): Promise<readonly string[]> {
  const files = new Map((await snapshots.listFiles(base)).map((file) => [file.path, file]));
  const manifests = await readManifests(files, snapshots);
  const lines = linesOf(commands, manifests);
  const named = [...new Set(lines.flatMap((line) => filesIn(line, files)))];
  const entries = new Set(
    [...manifests].flatMap(([folder, { entries: own }]) => own.map((it) => posix.join(folder, it))),
  );
  const preloaded = new Set(lines.flatMap((line) => startedBy(line, files).loaded));
  const asserting = await assertingOf(
    named.filter((path) => isSource(path) && !isTest(path) && !entries.has(path)),
    files,
    snapshots,
  );
  const isDoubted = preloaded.size + asserting.size > 0;
  const product = isDoubted ? await productOf(entries, files, snapshots) : new Set();
  const isSelfTest = (path: string): boolean =>
    !product.has(path) && (asserting.get(path) === 'asserts' || (asserting.has(path) && hasEntry(path)));
  const hasEntry = (path: string): boolean => {
    const inside = [...manifests.keys()].filter((it) => it === '.' || path.startsWith(`${it}/`));
    const folder = inside.toSorted((a, b) => b.length - a.length)[0] ?? '.';
    const own = manifests.get(folder)?.entries ?? [];
    return own.some((it) => fileAt(posix.join(folder, it), files) !== undefined);
  };
  const isPreloadedAlone = (path: string): boolean =>
    preloaded.has(path) && !product.has(path) && hasEntry(path);
  const isFree = (path: string): boolean =>
    (isSource(path) &&
      !tables.has(path) &&
      !isPreloadedAlone(path) &&
      !isSelfTest(path) &&
      !isShellProgram(path) &&
      !FOREIGN.test(path)) ||
    entries.has(path) ||
    task.includes(path);
  const isPart = (path: string): boolean => DATA.test(path) || FOREIGN.test(path);
  const found = new Set<string>();
  const sourced = new Set<string>();
  /** Modules that self-tests import and the product does not. */
  const tables = new Set<string>();
  const isTable = (path: string, text: string): boolean => tables.has(path) && !CODE.test(text);
  /** Data that judges take from folders. */
  const compared = new Set<string>();
  let open = named.filter((path) => !isFree(path));
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth++) {
    const texts = await snapshots.readBlobs(open.map((path) => files.get(path)!.id));
    const textOf = (path: string): string => texts.get(files.get(path)!.id)?.toString('utf8') ?? '';
    const judges = open.filter((path) =>
      depth > 0
        ? CHECKING.test(path) ||
          isShellProgram(path) ||
          isPart(path) ||
          sourced.has(path) ||
          isTable(path, textOf(path))
        : isPreloadedAlone(path) || isJudge(path, textOf(path)),
    );
    for (const path of judges) found.add(path);
    for (const path of judges)
      for (const part of dataOfFolders(textOf(path), path, files)) compared.add(part);
    for (const path of judges) for (const part of sourcedBy(textOf(path), path, files)) sourced.add(part);
    for (const path of judges.filter((it) => isSelfTest(it) && hasEntry(it)))
      for (const next of importsIn(textOf(path), path, files)) if (!product.has(next)) tables.add(next);
    open = [...new Set([...judges.flatMap((path) => importsIn(textOf(path), path, files)), ...sourced])];
    open = open.filter((path) => !found.has(path) && !isFree(path));
  }
  return [
    ...found,
    ...(await ofJudgesAlone(
      [...compared].filter((path) => !found.has(path)),
      entries,
      files,
      snapshots,
    )),
  ];
}

/** The files of these whose folders the product does not name. */
async function ofJudgesAlone(
  paths: readonly string[],
  entries: ReadonlySet<string>,
  files: ReadonlyMap<string, TreeFile>,
  snapshots: TreeReader,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const product = [...(await productOf(entries, files, snapshots))];
  const texts = await snapshots.readBlobs(product.map((path) => files.get(path)!.id));
  const all = [...texts.values()].map(String);
  return paths.filter((path) => !isNamedIn(path, all));
}

/** The files that import an assertion library, or compare what they import and choose their exit code. */
async function assertingOf(
  paths: readonly string[],
  files: ReadonlyMap<string, TreeFile>,
  snapshots: TreeReader,
): Promise<ReadonlyMap<string, 'asserts' | 'compares'>> {
  const texts = await snapshots.readBlobs(paths.map((path) => files.get(path)!.id));
  const found = new Map<string, 'asserts' | 'compares'>();
  for (const path of paths) {
    const text = texts.get(files.get(path)!.id)?.toString('utf8') ?? '';
    if (ASSERTIONS.test(text)) found.set(path, 'asserts');
    else if (ENDS.test(text) && COMPARES.test(text) && !ASKS.test(text)) found.set(path, 'compares');
  }
  return found;
}

/**
 * Paths and patterns of files that may not be added because the commands would run or load them: Makefiles that are read before
 * the one that is there, checking programs that do not exist yet, and modules beside a checking program in Python.
 */
export async function mayNotBeAdded(
  { commands, task }: Judges,
  base: TreeId,
  snapshots: TreeReader,
): Promise<readonly string[]> {
  const files = new Map((await snapshots.listFiles(base)).map((file) => [file.path, file]));
  const lines = linesOf(commands, await readManifests(files, snapshots));
  const makefiles = lines
    .filter(({ command }) => BUILD_CALL.test(command))
    .flatMap(({ cwd }) => BUILD_FILES.map((name) => posix.join(cwd, name)));
  const absent = lines
    .flatMap(namedPrograms)
    .filter(
      (path) => mayJudge(path) && !DATA.test(path) && !IN_BIN.test(path) && fileAt(path, files) === undefined,
    );
  const beside = lines
    .flatMap((line) => filesIn(line, files))
    .filter((path) => path.endsWith('.py') && isInCheckFolder(path))
    .flatMap((path) => ['*.py', '*/__init__.py'].map((name) => posix.join(posix.dirname(path), name)));
  return [...new Set([...makefiles, ...absent, ...beside])].filter((path) => !task.includes(path));
}

function isJudge(path: string, text: string): boolean {
  if (isShellProgram(path) || DATA.test(path) || CHECKING.test(path) || FOREIGN.test(path)) return true;
  const isProgram = PROGRAM.test(path) || SHEBANG.test(text);
  return isProgram && !ENTRY.test(path) && !IN_BIN.test(path) && IMPORTS.test(text);
}
