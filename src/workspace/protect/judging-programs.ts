import { posix } from 'node:path';
import type { CommandPlan } from '../../ports/plan.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { TreeFile, TreeReader } from '../snapshots/snapshots.ts';
import { importsIn } from './imported-files.ts';
import { linesOf, readManifests } from './scripts-and-entries.ts';
import { BUILD_FILES, startedBy } from './started-programs.ts';
import { namedByConfiguration } from './configuration.ts';
import { isNamedTest } from './protected-paths.ts';

/** The programs that commands start, and whatever these load, wherever it lies. Paths are relative to the root. */
export interface JudgingPrograms {
  /** Programs, Makefiles and modules for set-up that a command line names. */
  readonly named: ReadonlySet<string>;
  /** Files that modules for set-up import, directly or through others. */
  readonly loaded: ReadonlySet<string>;
  /** Files that programs import or run, directly or through others: the product may be among them. */
  readonly run: ReadonlySet<string>;
  /** Tells whether one of these files names a file that does not exist, as `[ -f x ] && . x` does. */
  namesAbsent(path: string): 'path' | 'ending' | 'no';
  /** True for a file in a folder that one of these files reads as a whole, as `for f in x/*.sh` does. */
  readsFolderOf(path: string): boolean;
}

const MAX_DEPTH = 12;
/** A program that is a part of the command line: `node -e "…"`. */
const INLINE = /\s(?:-e|-p|-pe|--eval|--print)[\s=](?:"(?:[^"\\]|\\.)*"|'[^']*')/g;
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts'];
/** What may be the name of a file: the text before it tells whether a variable stands for its folder. */
const NAME = /([$}"'`/]?)((?:[\w@.-]*\/)*[\w@.-]*\.?[\w-]+)/g;

/** A folder of which the names are read: `x/*.sh`, `'x/'`, `readdir('x')`. */
const FOLDER =
  /((?:[\w@.-]+\/)*[\w@.-]+)\/(?=[*"'`\s)]|$)|\b(?:readdir|opendir|glob)(?:Sync)?\(\s*["'`]([\w@./-]+)/gm;

/** Follows the commands through the files of a tree. Names in files that its configuration names count too. */
export async function judgingPrograms(
  commands: readonly CommandPlan[],
  base: TreeId,
  reader: TreeReader,
): Promise<JudgingPrograms> {
  const files = new Map((await reader.listFiles(base)).map((file) => [file.path, file]));
  const lines = linesOf(commands, await readManifests(files, reader));
  const started = lines.map((line) =>
    startedBy({ ...line, command: line.command.replaceAll(INLINE, ' ') }, files),
  );
  const asked = lines.flatMap(({ command, cwd }) =>
    (command.match(INLINE) ?? []).flatMap((text) => importsIn(text, posix.join(cwd, 'inline'), files)),
  );
  const tests = new Set(started.flatMap((it) => it.tests));
  const programs = new Set(
    started.flatMap((it) => it.run).filter((path) => !tests.has(path) && !isNamedTest(path)),
  );
  const preloads = new Set(started.flatMap((it) => it.loaded));
  const texts = new Map<string, string>();
  const run = await reached(
    new Set([...programs, ...asked.filter((path) => !isNamedTest(path))]),
    files,
    reader,
    texts,
  );
  const loaded = await reached(preloads, files, reader, texts);
  const configured = new Set((await namedByConfiguration(base, reader)).filter((path) => !isNamedTest(path)));
  await readInto(texts, configured, files, reader);
  const places = [
    ...lines.map(({ command, cwd }) => ({ text: command, folders: [cwd] })),
    ...[...texts].map(([path, text]) => ({ text, folders: ['.', posix.dirname(path)] })),
  ];
  const whole = new Set([...texts].flatMap(([path, text]) => foldersIn(text, ['.', posix.dirname(path)])));
  const names = places.flatMap(namesIn);
  const exact = new Set(names.flatMap(({ paths }) => paths));
  const endings = names.flatMap(({ ending }) => ending ?? []);
  return {
    named: new Set([...programs, ...preloads]),
    loaded,
    run,
    namesAbsent: (path) => {
      if (ENDINGS.some((end) => path.endsWith(end) && exact.has(path.slice(0, path.length - end.length))))
        return 'path';
      return endings.some((name) => path === name || path.endsWith(`/${name}`)) ? 'ending' : 'no';
    },
    readsFolderOf: (path) => whole.has(posix.dirname(path)),
  };
}

/** The files, and those that they import or run; their texts are added. */
async function reached(
  from: ReadonlySet<string>,
  files: ReadonlyMap<string, TreeFile>,
  reader: TreeReader,
  texts: Map<string, string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let open = [...from];
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth++) {
    for (const path of open) found.add(path);
    await readInto(texts, open, files, reader);
    const next = open.flatMap((path) => importsIn(texts.get(path)!, path, files));
    open = [...new Set(next)].filter((path) => !found.has(path) && !isNamedTest(path));
  }
  return found;
}

async function readInto(
  texts: Map<string, string>,
  paths: Iterable<string>,
  files: ReadonlyMap<string, TreeFile>,
  reader: TreeReader,
): Promise<void> {
  const open = [...paths];
  const contents = await reader.readBlobs(open.map((path) => files.get(path)!.id));
  for (const path of open) texts.set(path, contents.get(files.get(path)!.id)?.toString('utf8') ?? '');
}

interface Text {
  readonly text: string;
  /** Folders that a relative name may be meant from. */
  readonly folders: readonly string[];
}

/** The names in a text: the paths that each may be meant as, and its end if a variable may stand before it. */
function namesIn({ text, folders }: Text): { readonly paths: readonly string[]; readonly ending?: string }[] {
  return [...text.matchAll(NAME)].flatMap(([, before = '', name = '']) => {
    // `$FOLDER/name`
    const whole = before === '$' ? name.replace(/^[^/]*\//, '') : name;
    const hasFolder = before === '/' || before === '}' || whole !== name;
    if (!hasFolder && !/[./]/.test(whole)) return [];
    const paths = folders.map((folder) => posix.join(folder, whole));
    const ending = posix.normalize(whole).replace(/^(?:\.{1,2}\/|\/)+/, '');
    return [(hasFolder || !whole.includes('/')) && ending !== '' ? { paths, ending } : { paths }];
  });
}

/** The folders that a text may read as a whole, below each of these. */
function foldersIn(text: string, from: readonly string[]): string[] {
  return [...text.matchAll(FOLDER)].flatMap(([, before, asked]) =>
    from.map((folder) => posix.join(folder, before ?? asked!).replace(/\/$/, '')),
  );
}

/** True for a file that `make`, `just` or `task` may take before the one that is there. */
export function isBuildFile(path: string): boolean {
  return BUILD_FILES.includes(posix.basename(path));
}

/** Files that others import, directly or through others, and what their texts name. */
export interface Reached {
  readonly files: ReadonlySet<string>;
  /** True if one of the texts has the name of a file. */
  names(path: string): boolean;
}

/** Follows imports by relative paths from some files. */
export function reachedFrom(
  roots: readonly string[],
  files: ReadonlyMap<string, TreeFile>,
  textOf: (path: string) => string,
): Reached {
  const found = new Set(roots);
  const texts: string[] = [];
  // A set hands out what is added while it is read.
  for (const path of found) {
    const text = textOf(path);
    texts.push(text);
    for (const next of importsIn(text, path, files)) found.add(next);
  }
  const all = texts.join('\n');
  return { files: found, names: (path) => all.includes(posix.basename(path)) };
}
