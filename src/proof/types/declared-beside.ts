import { posix } from 'node:path';
import type { Node } from '@babel/types';
import { applyEdits } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';

/** Names of the exported functions and values that a file of declarations declares in another way than its base. */
export function changedDeclarations(file: string, text: string, base: string): string[] {
  const [now, then] = [declaredIn(file, text), declaredIn(file, base)];
  return [...now].flatMap(([name, own]) => (then.get(name) === own ? [] : [name]));
}

/** JavaScript in which the parameters of exported functions have the types that are declared beside it. */
export function withTypedParameters(file: string, text: string): string {
  const edits = exportedIn(file, text).flatMap(([name, node]) =>
    parametersOf(node).flatMap((param, at) => {
      const type = `Parameters<typeof import("./${posix.basename(file)}").${name}>[${at}]`;
      const [start, replacement] = [startOf(param), `/** @type {${type}} */ `];
      return param.type === 'Identifier' ? [{ start, end: start, replacement }] : [];
    }),
  );
  return applyEdits(text, edits);
}

/** Names of declared values with the texts of their declarations. */
function declaredIn(file: string, text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, node] of exportedIn(file, text)) {
    const own = text.slice(startOf(node), endOf(node)).replaceAll(/\s+/g, '');
    // Each overload counts.
    found.set(name, `${found.get(name) ?? ''}${own}`);
  }
  return found;
}

function exportedIn(file: string, text: string): [string, Node][] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  return parsed.tree.program.body.flatMap((statement): [string, Node][] => {
    if (statement.type === 'ExportDefaultDeclaration') return [['default', statement.declaration]];
    const isNamed = statement.type === 'ExportNamedDeclaration' && statement.declaration;
    return isNamed ? namesIn(statement.declaration!) : [];
  });
}

function namesIn(node: Node): [string, Node][] {
  if (node.type === 'VariableDeclaration')
    return node.declarations.flatMap((it): [string, Node][] =>
      it.id.type === 'Identifier' ? [[it.id.name, it]] : [],
    );
  const isNamed = /^(TSDeclareFunction|FunctionDeclaration|ClassDeclaration)$/.test(node.type);
  return isNamed && 'id' in node && node.id?.type === 'Identifier' ? [[node.id.name, node]] : [];
}

function parametersOf(node: Node): readonly Node[] {
  const own = node.type === 'VariableDeclarator' ? node.init : node;
  return own && 'params' in own && Array.isArray(own.params) ? (own.params as Node[]) : [];
}
