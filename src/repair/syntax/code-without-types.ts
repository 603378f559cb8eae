import type { Node } from '@babel/types';
import { childNodes } from '../../platform/syntax/child-nodes.ts';
import { endOf, parseSource, startOf } from './parse.ts';

/** Nodes that leave nothing in the program that runs. */
const TYPES = new Set([
  'TSTypeAnnotation',
  'TSTypeParameterDeclaration',
  'TSTypeParameterInstantiation',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
]);

/** The text without its type annotations and without white space; a text that does not parse stays as it is. */
export function codeWithoutTypes(file: string, text: string): string {
  const source = parseSource(file, text);
  if ('problem' in source) return text;
  let code = '';
  let at = 0;
  for (const { start, end } of typeRanges(source.tree.program)) {
    code += text.slice(at, start);
    at = Math.max(at, end);
  }
  return (code + text.slice(at)).replaceAll(/\s+/g, '');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Ranges in the order of the text. */
function typeRanges(root: Node): Range[] {
  const ranges: Range[] = [];
  const visit = (node: Node): void => {
    if (TYPES.has(node.type)) ranges.push({ start: startOf(node), end: endOf(node) });
    // The range of a typed name includes its question mark and its type.
    else if (node.type === 'Identifier')
      ranges.push({ start: startOf(node) + node.name.length, end: endOf(node) });
    else for (const child of childNodes(node)) visit(child);
  };
  visit(root);
  return ranges.sort((a, b) => a.start - b.start);
}
