import type { Node } from '@babel/types';
import { parsedOf } from '../../workspace/protect/suppressions/parse-source.ts';
import type { ChangedText } from './unseen.ts';

/** A name that a change declares at the top of a module. */
export interface AddedName {
  readonly name: string;
  readonly isExported: boolean;
  /** Whether anything else in the file has the name. */
  readonly isUsed: boolean;
}

/** Names of functions, classes and variables that a source did not declare before. */
export function addedNames({ path, before = '', after }: ChangedText): AddedName[] {
  const parsed = parsedOf(path, after);
  if (parsed === undefined) return [];
  const old = new Set(declaredIn(parsedOf(path, before)?.root).map(({ name }) => name));
  const counts = countNames(parsed.root);
  return declaredIn(parsed.root)
    .filter(({ name }) => !old.has(name))
    .map((it) => ({ ...it, isUsed: (counts.get(it.name) ?? 0) > 1 }));
}

type Declared = Omit<AddedName, 'isUsed'>;

function declaredIn(root: Node | undefined): Declared[] {
  return root?.type === 'Program' ? root.body.flatMap((statement) => declaredBy(statement)) : [];
}

function declaredBy(statement: Node): Declared[] {
  if (statement.type === 'ExportNamedDeclaration')
    return statement.declaration
      ? declaredBy(statement.declaration).map(({ name }) => ({ name, isExported: true }))
      : [];
  const names =
    statement.type === 'VariableDeclaration'
      ? statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
      : (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') && statement.id
        ? [statement.id.name]
        : [];
  return names.map((name) => ({ name, isExported: false }));
}

/** Keys of a node that hold no part of the code. */
const ASIDE = /^(?:loc|extra|\w+Comments)$/;

/** How often the code has each name, in whatever role. */
function countNames(root: Node): Map<string, number> {
  const counts = new Map<string, number>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, name } = value as { readonly type?: unknown; readonly name?: unknown };
    if (typeof name === 'string' && /^(?:JSX)?Identifier$/.test(String(type)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [key, part] of Object.entries(value)) if (!ASIDE.test(key)) visit(part);
  };
  visit(root);
  return counts;
}

const STAR = /\bexport\s*\*\s*from\s*['"]([^'"]+)['"]/g;

/** The modules that a source hands on as a whole, by the last part of their path without ending. */
export function handedOn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(STAR)].map(([, from]) => stemOf(from!)));
}

/** The last part of a path, without its ending; of an index, that of its folder. */
export function stemOf(path: string): string {
  const parts = path.split('/').map((part) => part.replace(/\.[cm]?[jt]sx?$/, ''));
  return parts.findLast((part, at) => part !== 'index' || at === 0) ?? path;
}
