import type { Node } from '@babel/types';
import type { Edit, TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { revertOf, type ChangedSource } from './changed-source.ts';

/** The edit, and those which put back the imports that the change takes out: code that is put back may need them. */
export function withImports(source: ChangedSource, edit: Edit): Edit[] {
  const taken = source.blocks
    .map((block) => revertOf(source, block))
    .filter(({ start, end }) => end < edit.start || edit.end < start)
    .filter((own) => changesImports(source.parsed, own) && onlyTakes(source.parsed, own));
  return [edit, ...taken].toSorted((a, b) => a.start - b.start);
}

function onlyTakes({ text }: ParsedSource, { start, end, replacement }: TextEdit): boolean {
  const before = new Set(replacement.match(/[\w$]+/g));
  return (text.slice(start, end).match(/[\w$]+/g) ?? []).every((word) => before.has(word));
}

/** Whether a changed text has nothing but imports of names, before and after. The edit puts the base's text back. */
export function changesImports(parsed: ParsedSource, { start, end, replacement }: TextEdit): boolean {
  const touched = parsed.tree.program.body.filter((node) => startOf(node) < end && start < endOf(node));
  const isInside = touched.length > 0 || parsed.text.slice(start, end).trim() === '';
  const isRemoved = touched.length === 0 && replacement.trim() !== '';
  return isInside && touched.every(namesOnly) && (!isRemoved || isImports(replacement));
}

/** Whether a text is imports of names alone. */
function isImports(text: string): boolean {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .split(/;|\n(?=\s*import\b)/)
    .every((it) => it.trim() === '' || /^\s*import\s+[^'"]+\sfrom\s*['"][^'"]*['"]\s*$/.test(it));
}

/** Whether a node imports names, and does not only load a module. */
export function namesOnly(node: Node): boolean {
  return node.type === 'ImportDeclaration' && node.specifiers.length > 0;
}
