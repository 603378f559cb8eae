import { join } from 'node:path';
import type { Node } from '@babel/types';
import { textOf } from '../../platform/files/text-of.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import type { ChangedSources } from '../base-sources.ts';
import { isImportable } from './lost-files.ts';

/**
 * A sentence on a changed source that users of the package can import and that no longer exports a name which it exported in
 * the base. Undefined if there is none, and for sources that export what another module exports, by `export *`.
 */
export async function findLostExport({
  request: { root },
  sources,
  baseText,
}: ChangedSources): Promise<string | undefined> {
  for (const source of sources) {
    const before = await baseText(source);
    if (before === undefined || !isImportable(source, root)) continue;
    const [then, now] = [exportsOf(source, before), exportsOf(source, textOf(join(root, source)))];
    const lost = then === undefined || now === undefined ? undefined : [...then].find((it) => !now.has(it));
    if (lost !== undefined)
      return `${source} no longer exports ${lost}, which users of the package can import. Keep it, or --allow ${source} permits it.`;
  }
  return undefined;
}

/** The names that a module exports; undefined if they are not known. */
function exportsOf(file: string, text: string): ReadonlySet<string> | undefined {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return undefined;
  const names = new Set<string>();
  for (const statement of parsed.tree.program.body) {
    if (statement.type === 'ExportAllDeclaration' || takesApart(statement)) return undefined;
    if (statement.type === 'ExportDefaultDeclaration') names.add('default');
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') continue;
    for (const { exported } of statement.specifiers)
      names.add(exported.type === 'StringLiteral' ? exported.value : exported.name);
    for (const name of declaredBy(statement.declaration)) names.add(name);
  }
  return names;
}

/** `export const { a } = b`: the names depend on the pattern. */
function takesApart(statement: Node): boolean {
  if (statement.type !== 'ExportNamedDeclaration') return false;
  const { declaration } = statement;
  return (
    declaration?.type === 'VariableDeclaration' &&
    declaration.declarations.some(({ id }) => id.type !== 'Identifier')
  );
}

/** Names of functions, classes and variables. */
function declaredBy(node: Node | null | undefined): string[] {
  if (node?.type === 'FunctionDeclaration' || node?.type === 'ClassDeclaration')
    return node.id ? [node.id.name] : [];
  if (node?.type !== 'VariableDeclaration') return [];
  return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
}
