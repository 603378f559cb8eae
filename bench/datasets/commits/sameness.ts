import type { Node } from '@babel/types';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

/** How near a repair is to the developer's: the same text, the same program, or another one. */
export type Sameness = 'text' | 'syntax' | 'no';

/** A file before it is compared; undefined where it is not there. */
export type FileText = string | undefined;

/** Compares the source files of two repairs, each by its path. */
export function compareSources(
  one: ReadonlyMap<string, FileText>,
  other: ReadonlyMap<string, FileText>,
): Sameness {
  const paths = [...new Set([...one.keys(), ...other.keys()])];
  const verdicts = paths.map((path) => compareTexts(path, one.get(path), other.get(path)));
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('syntax') ? 'syntax' : 'text';
}

/** `syntax`: equal trees after comments, formatting, redundant parentheses and empty statements are dropped. */
export function compareTexts(file: string, one: FileText, other: FileText): Sameness {
  if (one === other) return 'text';
  if (one === undefined || other === undefined) return 'no';
  const [a, b] = [parseSource(file, one), parseSource(file, other)];
  if ('problem' in a || 'problem' in b) return 'no';
  return essenceOf(a.tree.program) === essenceOf(b.tree.program) ? 'syntax' : 'no';
}

/** Fields of a node that say where or how it is written, not what it is. */
const WRITTEN = new Set([
  ...['start', 'end', 'loc', 'range', 'extra', 'errors', 'tokens'],
  ...['comments', 'leadingComments', 'innerComments', 'trailingComments'],
]);

function essenceOf(root: Node): string {
  return JSON.stringify(root, function (key, value: unknown) {
    if (WRITTEN.has(key) && isNode(this)) return undefined;
    if (Array.isArray(value)) return value.filter((item) => !isNode(item) || item.type !== 'EmptyStatement');
    // What JSON would turn into something else.
    if (typeof value === 'bigint' || value instanceof RegExp) return String(value);
    return unwrapped(value);
  });
}

function unwrapped(value: unknown): unknown {
  return isNode(value) && (value.type === 'ParenthesizedExpression' || value.type === 'TSParenthesizedType')
    ? unwrapped(value.type === 'ParenthesizedExpression' ? value.expression : value.typeAnnotation)
    : value;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
