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
  return 'problem' in source ? text : withoutRanges(text, typeRanges(source.tree.program)).text;
}

/** Code without white space, and the offset that each of its characters had. */
export interface SpacelessCode {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** The code that runs: without types, comments and white space. Of a text that does not parse only the white space is left out. */
export function runningCode(file: string, text: string): SpacelessCode {
  const source = parseSource(file, text);
  if ('problem' in source) return withoutRanges(text, []);
  const comments = (source.tree.comments ?? []).map(({ start, end }) => ({ start: start!, end: end! }));
  return withoutRanges(text, [...typeRanges(source.tree.program), ...comments]);
}

function withoutRanges(original: string, ranges: readonly Range[]): SpacelessCode {
  const ordered = ranges.toSorted((a, b) => a.start - b.start);
  const offsets: number[] = [];
  let text = '';
  let next = 0;
  for (const { index, 0: character } of original.matchAll(/\S/g)) {
    while (next < ordered.length && ordered[next]!.end <= index) next++;
    if (next < ordered.length && ordered[next]!.start <= index) continue;
    text += character;
    offsets.push(index);
  }
  return { text, offsets };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

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
  return ranges;
}
