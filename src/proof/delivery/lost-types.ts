import { join, posix } from 'node:path';
import type { Statement } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { manifestOf, textsIn } from './package-imports.ts';
import type { ChangedFiles } from './lost-files.ts';
import { publishedFolder } from './published-folder.ts';

const DECLARATION = /\.d\.[cm]?ts$/;
const TYPED = /\.[cm]?tsx?$/;
/** Tags by which tools leave a declaration out, or warn everybody who uses it. */
const TAG = /@(internal|deprecated|hidden|private|ignore)\b/;

/** The files that changed, and whether a type checker judges them. */
export type TypedFiles = Pick<ChangedFiles, 'request' | 'sources' | 'data' | 'baseText'> & {
  readonly isTypeChecked: boolean;
};

/**
 * A sentence on types that users of a published package lose by a change: a name that its entry or its declarations no longer
 * export, a declaration that is another one for code which is as before, `any` in the place of a type, and a tag by which tools
 * take a declaration away. Undefined if there is none.
 */
export async function findLostType(files: TypedFiles): Promise<string | undefined> {
  const { sources, data, baseText } = files;
  const { root } = files.request;
  for (const file of [...sources, ...data.filter((path) => DECLARATION.test(path))]) {
    const before = TYPED.test(file) ? await baseText(file) : undefined;
    if (before === undefined || publishedFolder(file, root) === undefined) continue;
    const now = textOf(join(root, file));
    const problem =
      lostName(file, before, now, root) ??
      otherDeclaration(file, before, now, files) ??
      newTag(file, before, now);
    if (problem !== undefined) return `${problem} Put it back, or --allow ${file} permits it.`;
  }
  return undefined;
}

function lostName(file: string, before: string, now: string, root: string): string | undefined {
  if (!DECLARATION.test(file) && !isEntry(file, root)) return undefined;
  const [then, left] = [exportsOf(file, before), exportsOf(file, now)];
  const lost = then && left && [...then.keys()].find((name) => !left.has(name));
  return lost && `${file} no longer exports ${lost}, which users of the package can import.`;
}

/** Whether a source has the name of a file that package.json leads users to. */
function isEntry(file: string, root: string): boolean {
  const { main, module, types, exports } = manifestOf(root, publishedFolder(file, root)!);
  const targets = [main, module, types, exports].flatMap((it) => textsIn(it));
  const stemOf = (path: string): string => posix.basename(path).replace(/\..*$/s, '');
  return [...targets, ...(main === undefined && exports === undefined ? ['index.js'] : [])].some(
    (target) => stemOf(target) === stemOf(file),
  );
}

function otherDeclaration(
  file: string,
  before: string,
  now: string,
  { request: { root }, sources, isTypeChecked }: TypedFiles,
): string | undefined {
  if (!DECLARATION.test(file) || isTypeChecked || sources.length === 0) return undefined;
  const [then, own] = [exportsOf(file, before), exportsOf(file, now)];
  for (const [name, text] of then ?? []) {
    const is = own?.get(name);
    if (is === undefined || is === text) continue;
    if (countOf(is, 'any') > countOf(text, 'any'))
      return `${file} declares ${name} with any in the place of a type, so that nobody who uses it is warned.`;
    const isWritten = new RegExp(
      `\\b(?:function\\*?|class|const|let|var)\\s+${escapeRegExp(name)}\\b|\\bexports\\.${escapeRegExp(name)}\\b`,
    );
    if (!sources.some((source) => isWritten.test(textOf(join(root, source)))))
      return `${file} declares ${name} otherwise than before, and the code of ${name} is not changed.`;
  }
  return undefined;
}

/** The exported names, with what declares them, without blanks; undefined if they are not known. */
function exportsOf(file: string, text: string): ReadonlyMap<string, string> | undefined {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return undefined;
  const found = new Map<string, string>();
  const add = (name: string, node: Statement): void => {
    const own = text.slice(startOf(node), endOf(node)).replaceAll(/\/\*[^]*?\*\/|\/\/.*|\s+/g, ' ');
    found.set(name, `${found.get(name) ?? ''}${own.replaceAll(/\s+/g, ' ')}\n`);
  };
  for (const statement of parsed.tree.program.body) {
    if (statement.type === 'ExportAllDeclaration') return undefined;
    if (statement.type === 'ExportDefaultDeclaration') add('default', statement);
    if (statement.type !== 'ExportNamedDeclaration') continue;
    for (const { exported } of statement.specifiers) {
      const name = exported.type === 'StringLiteral' ? exported.value : exported.name;
      found.set(name, name);
    }
    const { declaration } = statement;
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) {
        if (id.type !== 'Identifier') return undefined;
        add(id.name, statement);
      }
    } else if (declaration && 'id' in declaration && declaration.id?.type === 'Identifier')
      add(declaration.id.name, statement);
  }
  return found;
}

function countOf(text: string, word: string): number {
  return text.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0;
}

/** A declaration of the base with a comment that has such a tag, which no comment on it had. */
function newTag(file: string, before: string, now: string): string | undefined {
  const known = taggedIn(before);
  for (const [line, tag] of taggedIn(now))
    if (known.get(line) !== tag && before.split('\n').some((it) => it.trim() === line))
      return `${file} newly marks ${JSON.stringify(line.slice(0, 80))} as @${tag}, which tools obey, and no check needs that.`;
  return undefined;
}

/** Lines of code that follow a comment with a tag, with the tag. */
function taggedIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, comment, line] of text.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*([^\n]+)/g)) {
    const tag = TAG.exec(comment!)?.[1];
    if (tag !== undefined) found.set(line!.trim(), tag);
  }
  return found;
}
