import { posix } from 'node:path';
import type { CallExpression, Node } from '@babel/types';
import { isLabel, parseText, walk } from '../acceptance/syntax.ts';
import { foundInTests } from '../canaries/wrong-expectations.ts';

/** A use of an imported name in what a test compares with. */
export interface ExpectedName {
  readonly test: string;
  readonly isTable: boolean;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Where the tests of a text use the names in what they compare with, as values. */
export function expectedNames(text: string, names: ReadonlySet<string>): ExpectedName[] {
  if (names.size === 0) return [];
  return foundInTests(text, (body) => {
    const found = new Map<number, Pick<ExpectedName, 'name' | 'from' | 'to'>>();
    for (const statement of body)
      walk(statement, (node) => {
        if (node.type !== 'CallExpression') return;
        for (const argument of expectedIn(node))
          walk(argument, (inner, parents) => {
            const parent = parents.at(-1);
            const isValue = inner.type === 'Identifier' && names.has(inner.name) && !isLabel(inner, parent);
            const isCalled = parent?.type === 'CallExpression' && parent.callee === inner;
            const isShort = parent?.type === 'ObjectProperty' && parent.shorthand;
            if (!isValue || isCalled || isShort || typeof inner.start !== 'number') return;
            found.set(inner.start, { name: inner.name, from: inner.start, to: inner.end! });
          });
      });
    return [...found.values()];
  });
}

/** What an assertion compares with: the arguments behind the first, or those of a matcher. */
export function expectedIn({ callee, arguments: given }: CallExpression): readonly Node[] {
  if (callee.type !== 'MemberExpression') return [];
  const root = rootOf(callee.object);
  if (root === 'expect') return given;
  return root === 'assert' || root === 't' ? given.slice(1, 2) : [];
}

export function rootOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'CallExpression') return rootOf(node.callee);
  return node.type === 'MemberExpression' ? rootOf(node.object) : undefined;
}

/** Names that a test imports from files whose path is wanted, as they are called there. */
export function namesImported(
  text: string,
  file: string,
  isWanted: (stem: string) => boolean,
): ReadonlySet<string> {
  const names = new Set<string>();
  const isFrom = (path: string): boolean =>
    path.startsWith('.') && isWanted(stemOf(posix.join(posix.dirname(file), path)));
  for (const node of programOf(file, text)) {
    if (node.type === 'VariableDeclaration')
      for (const name of node.declarations.flatMap((it) => requiredNames(it, isFrom))) names.add(name);
    if (node.type !== 'ImportDeclaration' || !isFrom(node.source.value)) continue;
    for (const it of node.specifiers)
      if (
        it.type === 'ImportSpecifier' &&
        it.imported.type === 'Identifier' &&
        it.imported.name === it.local.name
      )
        names.add(it.local.name);
  }
  return names;
}

/** The names in `const { a, b } = require('./file')`. */
function requiredNames(
  { id, init }: { readonly id: Node; readonly init?: Node | null | undefined },
  isFrom: (path: string) => boolean,
): string[] {
  if (id.type !== 'ObjectPattern' || init?.type !== 'CallExpression') return [];
  const [path] = init.arguments;
  const isRequire = init.callee.type === 'Identifier' && init.callee.name === 'require';
  if (!isRequire || path?.type !== 'StringLiteral' || !isFrom(path.value)) return [];
  return id.properties.flatMap((it) =>
    it.type === 'ObjectProperty' && it.shorthand && it.key.type === 'Identifier' ? [it.key.name] : [],
  );
}

/** A path without its ending. */
export function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
}

/** The statements of a text; none if it cannot be parsed. */
export function programOf(path: string, text: string): readonly Node[] {
  try {
    return parseText(text, path);
  } catch {
    return [];
  }
}
