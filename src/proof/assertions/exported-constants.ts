import type { Node } from '@babel/types';
import { programOf } from './expected-names.ts';

/** Names of functions that give what a test expects. */
const EXPECTED = /^(expect|want|golden|oracle|reference|correct)/i;

/** The texts of a source's exported constants, and of exported functions named as expectations, by their names. */
export function exportedConstants(path: string, text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const node of programOf(path, text)) {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined;
    if (declared?.type === 'FunctionDeclaration' && EXPECTED.test(declared.id?.name ?? ''))
      found.set(declared.id!.name, sliceOf(text, declared));
    if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue;
    for (const { id, init } of declared.declarations) {
      if (id.type !== 'Identifier' || !init) continue;
      const isFunction = /Function/.test(init.type);
      if (!isFunction || EXPECTED.test(id.name)) found.set(id.name, sliceOf(text, init));
    }
  }
  return found;
}

function sliceOf(text: string, { start, end }: Node): string {
  return text.slice(start!, end!).replaceAll(/\s+/g, ' ');
}
