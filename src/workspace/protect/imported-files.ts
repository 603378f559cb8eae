import { posix } from 'node:path';
import type { TreeFile, TreeReader } from '../snapshots/snapshots.ts';
import { isShellProgram } from './judging-paths.ts';
import { ENDINGS, filesIn } from './started-programs.ts';

/** Files that a shell script or a Makefile reads as a part of itself. */
const SOURCED = /^[\t ]*(?:\.|source|-?include)[\t ]+["']?([^\s;&|"'#]+)/gm;
/** Files from which a shell script feeds its tools. */
const FED =
  /\b(?:g?awk|sed|jq|bc|xargs)\b[^\n|;&]*?\s(?:-f|-a|--file|--from-file|--arg-file)[= ]\s*["']?([^\s;&|"'#]+)|(?:[^<]<[ \t]*|\bcat[ \t]+)["']?([\w./${}-]+)/g;
const ASSIGNED = /^[\t ]*(?:export[\t ]+)?(\w+)[\t ]*[:?]?=[\t ]*["']?([\w./-]+)["']?[\t ]*$/gm;
const PYTHON_IMPORT =
  /^[\t ]*(?:from[\t ]+(\.*[\w.]*)[\t ]+import\b|import[\t ]+([\w.]+(?:[\t ]*,[\t ]*[\w.]+)*))/gm;

/** The path of a module that is imported by this one, with an ending or as the index of a folder. */
export function fileAt(path: string, files: ReadonlyMap<string, TreeFile>): string | undefined {
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

/** Files that a shell script or a Makefile reads as a part of itself, also by a name in a variable that it sets. */
export function sourcedBy(text: string, from: string, files: ReadonlyMap<string, TreeFile>): string[] {
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
    // A recipe's line may begin with signs for make: `@sh check.sh`.
    const included = text.replace(/^-?include\s+/gm, '. ').replace(/^\t[@+-]+\s*/gm, '\t');
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
