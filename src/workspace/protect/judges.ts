import { posix } from 'node:path';
import type { CheckPlan, CommandPlan, ProjectPlan } from '../../ports/plan.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { TreeFile, TreeReader } from '../snapshots/snapshots.ts';
import { isSource } from './configuration.ts';
import { isTest } from './protected-paths.ts';
import { BUILD_CALL, BUILD_FILES, DATA, ENDINGS, filesIn, startedBy } from './started-programs.ts';

/** The command lines that judge a result, and the task that it is for. */
export interface Judges {
  readonly commands: readonly CommandPlan[];
  /** Files that it names may be changed. */
  readonly task: string;
}

const MAX_DEPTH = 5;
/** A package manager's call of a script: `npm run lint`, `pnpm test`, `yarn check`. */
const SCRIPT_CALL =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:--?\S+\s+)*(?:run(?:-script)?\s+)?(?:--?\S+\s+)*([\w:./-]+)/g;
const SHELL = /\.(?:ba|z|da|k)?sh$/;
const SHEBANG = /^#!/;
/** Documents, which have no ending either. */
const DOCUMENT =
  /(?:^|\/)(?:licen[cs]e|copying|notice|patents|authors|contributors|maintainers|credits|readme|contributing|changelog|changes|history|news|security|support|version)$/i;
const PROGRAM = /\.(?:[cm]?[jt]sx?|py|rb|pl)$/;
/** Programs that are no part of a JavaScript product. */
const FOREIGN = /\.(py|rb|pl)$/;
/** Names and folders of what checks a product rather than belongs to it. */
const CHECKING =
  /(^|[/._-])(scripts?|tools?|ci|hack|check(s|er)?|tests?|specs?|verify|validate|accept(ance)?|smoke|e2e)([/._-]|$)/i;
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
/** Files that a shell script or a Makefile reads as a part of itself. */
const SOURCED = /^[\t ]*(?:\.|source|-?include)[\t ]+["']?([^\s;&|"'#]+)/gm;
/** Files from which a shell script feeds its tools. */
const FED =
  /\b(?:g?awk|sed|jq|bc|xargs)\b[^\n|;&]*?\s(?:-f|-a|--file|--from-file|--arg-file)[= ]\s*["']?([^\s;&|"'#]+)|[^<]<[ \t]*["']?([\w./$-]+)/g;
const ASSIGNED = /^[\t ]*(?:export[\t ]+)?(\w+)[\t ]*[:?]?=[\t ]*["']?([\w./-]+)["']?[\t ]*$/gm;
const PYTHON_IMPORT =
  /^[\t ]*(?:from[\t ]+(\.*[\w.]*)[\t ]+import\b|import[\t ]+([\w.]+(?:[\t ]*,[\t ]*[\w.]+)*))/gm;
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
 * assert something about what they import, or compare it and choose their exit code; the latter two only if the entries of their package do not reach them. Paths are relative to the root.
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
    for (const path of judges) for (const part of sourcedBy(textOf(path), path, files)) sourced.add(part);
    for (const path of judges.filter((it) => isSelfTest(it) && hasEntry(it)))
      for (const next of importsIn(textOf(path), path, files)) if (!product.has(next)) tables.add(next);
    open = [...new Set([...judges.flatMap((path) => importsIn(textOf(path), path, files)), ...sourced])];
    open = open.filter((path) => !found.has(path) && !isFree(path));
  }
  return [...found];
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

function fileAt(path: string, files: ReadonlyMap<string, TreeFile>): string | undefined {
  return ENDINGS.map((end) => path + end).find((it) => files.has(it));
}

/** The files that some entries reach by imports. */
export async function productOf(
  entries: ReadonlySet<string>,
  files: ReadonlyMap<string, TreeFile>,
  snapshots: TreeReader,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let open = [...entries].flatMap((path) => fileAt(path, files) ?? []);
  while (open.length > 0) {
    for (const path of open) found.add(path);
    const texts = await snapshots.readBlobs(open.map((path) => files.get(path)!.id));
    const next = open.flatMap((path) =>
      importsIn(texts.get(files.get(path)!.id)?.toString('utf8') ?? '', path, files),
    );
    open = [...new Set(next)].filter((path) => !found.has(path));
  }
  return found;
}

/** The command lines, and those of the scripts that they call. */
export function linesOf(
  commands: readonly CommandPlan[],
  manifests: ReadonlyMap<string, Manifest>,
): CommandPlan[] {
  return commands.flatMap((command) => expand(command, manifests, 0));
}

/** Files that a shell script or a Makefile reads as a part of itself, also by a name in a variable that it sets. */
function sourcedBy(text: string, from: string, files: ReadonlyMap<string, TreeFile>): string[] {
  if (!isShellProgram(from)) return [];
  const values = new Map([...text.matchAll(ASSIGNED)].map(([, name, value]) => [name!, value!]));
  const isSet = /\$(?:\((\w+)\)|\{(\w+)\}|(\w+))/g;
  return [...text.matchAll(SOURCED), ...text.matchAll(FED)].flatMap(([, written, fed]) => {
    const name = (written ?? fed!).replaceAll(isSet, (whole: string, ...names: string[]) => {
      const known = names.slice(0, 3).find(Boolean);
      return values.get(known ?? '') ?? whole;
    });
    return ['.', posix.dirname(from)].map((folder) => posix.join(folder, name)).filter((it) => files.has(it));
  });
}

/** Modules of Python that lie beside the one that imports them, or below its folder. */
function pythonImports(text: string, from: string, files: ReadonlyMap<string, TreeFile>): string[] {
  const names = [...text.matchAll(PYTHON_IMPORT)].flatMap(([, module, modules = '']) =>
    module === undefined ? modules.split(',') : [module],
  );
  return names.flatMap((name) => {
    const path = posix.join(posix.dirname(from), name.trim().replace(/^\.+/, '').replaceAll('.', '/'));
    return [`${path}.py`, `${path}/__init__.py`].filter((it) => files.has(it));
  });
}

/** Files that a program imports by a relative path, or that a shell script runs or reads as a part of itself. */
export function importsIn(text: string, from: string, files: ReadonlyMap<string, TreeFile>): string[] {
  if (isShellProgram(from)) {
    const included = text.replace(/^-?include\s+/gm, '. ');
    return ['.', posix.dirname(from)].flatMap((cwd) => filesIn({ command: included, cwd }, files));
  }
  const code = text.replace(/^\s*\/\/.*$/gm, '');
  const modules = from.endsWith('.py') ? pythonImports(text, from, files) : [];
  const named = [...code.matchAll(/(['"])(\.{1,2}\/[^'"\n]+)\1/g)].flatMap(([, , name]) => {
    const target = posix.join(posix.dirname(from), name!);
    const bare = target.replace(/\.([cm]?)js$/, '.$1ts');
    return [...ENDINGS.map((end) => target + end), bare].find((path) => files.has(path)) ?? [];
  });
  return [...modules, ...named];
}

/** Makefiles that would be read before the one that is there; they may not be added. */
export function shadowsOfBuildFiles({ commands }: Judges): readonly string[] {
  return commands.some(({ command }) => BUILD_CALL.test(command))
    ? BUILD_FILES.map((name) => `/${name}`)
    : [];
}

/** True for a file that a command may run to judge the product, by its path alone. */
export function mayJudge(path: string): boolean {
  return isShellProgram(path) || ((PROGRAM.test(path) || DATA.test(path)) && CHECKING.test(path));
}

/** True for a shell script, a part of a Makefile, or a program without an ending that is not in a `bin` folder. */
export function isShellProgram(path: string): boolean {
  const name = posix.basename(path);
  if (SHELL.test(path) || BUILD_FILES.includes(name) || /\.(mk|make)$/.test(path)) return true;
  return !name.includes('.') && !/(^|\/)bin\//.test(path) && !DOCUMENT.test(path);
}

/** True for a name without an ending that no build tool looks for. */
export function hasNoEnding(path: string): boolean {
  const name = posix.basename(path);
  return !name.includes('.') && !BUILD_FILES.includes(name);
}

/** True below a folder with a name such as `scripts` or `tools`. */
export function isInCheckFolder(path: string): boolean {
  return CHECKING.test(`${posix.dirname(path)}/`);
}

function isJudge(path: string, text: string): boolean {
  if (isShellProgram(path) || DATA.test(path) || CHECKING.test(path) || FOREIGN.test(path)) return true;
  return (PROGRAM.test(path) || SHEBANG.test(text)) && !ENTRY.test(path) && IMPORTS.test(text);
}

export interface Manifest {
  readonly scripts: Readonly<Record<string, unknown>>;
  /** Files that users of the package load or run. */
  readonly entries: readonly string[];
}

/** Keys of package.json that lead users of a package, or their tools, to its files. */
const ENTRY_KEYS = ['main', 'module', 'bin', 'exports', 'types', 'typings', 'source', 'jsnext:main'];

/** The package.json files of the base by folder; `.` is the root. */
export async function readManifests(
  files: ReadonlyMap<string, TreeFile>,
  snapshots: TreeReader,
): Promise<ReadonlyMap<string, Manifest>> {
  const found = [...files.values()].filter(({ path }) => posix.basename(path) === 'package.json');
  const texts = await snapshots.readBlobs(found.map(({ id }) => id));
  return new Map(
    found.map(({ path, id }) => [posix.dirname(path), parseManifest(texts.get(id)?.toString('utf8') ?? '')]),
  );
}

function parseManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text) as Record<string, unknown>;
    return {
      scripts: (manifest['scripts'] ?? {}) as Manifest['scripts'],
      entries: pathsIn(ENTRY_KEYS.map((key) => manifest[key])),
    };
  } catch {
    return { scripts: {}, entries: [] };
  }
}

/** Every text in a value, without a leading `./`. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

/** The line, and those of the scripts that it calls. */
function expand(line: CommandPlan, manifests: ReadonlyMap<string, Manifest>, depth: number): CommandPlan[] {
  if (depth >= MAX_DEPTH) return [line];
  const scripts = manifests.get(line.cwd)?.scripts ?? {};
  const called = [...line.command.matchAll(SCRIPT_CALL)].flatMap(([, name]) =>
    [`pre${name}`, name!, `post${name}`].flatMap((script) => scripts[script] ?? []),
  );
  const lines = called.filter((text) => typeof text === 'string');
  return [line, ...lines.flatMap((command) => expand({ command, cwd: line.cwd }, manifests, depth + 1))];
}
