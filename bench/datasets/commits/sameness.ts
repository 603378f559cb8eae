import type { Node } from '@babel/types';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

/** Whether a repair has the same text as the developer's, an equal syntax tree, or neither. */
export type Sameness = 'text' | 'syntax' | 'no';

/** Text of a file; undefined if the file does not exist. */
export type FileText = string | undefined;

/** Compares the source files of two repairs, given by path; the least equal file decides. */
export function compareSources(
  one: ReadonlyMap<string, FileText>,
  other: ReadonlyMap<string, FileText>,
): Sameness {
  const paths = [...new Set([...one.keys(), ...other.keys()])];
  const verdicts = paths.map((path) => compareTexts(path, one.get(path), other.get(path)));
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('syntax') ? 'syntax' : 'text';
}

/** Compares two texts. Comments, formatting, redundant parentheses and empty statements do not count as syntax. */
export function compareTexts(file: string, one: FileText, other: FileText): Sameness {
  if (one === other) return 'text';
  if (one === undefined || other === undefined) return 'no';
  const [a, b] = [parseSource(file, one), parseSource(file, other)];
  if ('problem' in a || 'problem' in b) return 'no';
  return syntaxOf(a.tree.program) === syntaxOf(b.tree.program) ? 'syntax' : 'no';
}

/** Fields of a node about its position, spelling and comments. */
const SURFACE = new Set([
  'start',
  'end',
  'loc',
  'range',
  'extra',
  'errors',
  'tokens',
  'comments',
  'leadingComments',
  'innerComments',
  'trailingComments',
]);

function syntaxOf(root: Node): string {
  return JSON.stringify(root, function (key, value: unknown) {
    if (SURFACE.has(key) && isNode(this)) return undefined;
    if (Array.isArray(value)) return value.filter((item) => !isNode(item) || item.type !== 'EmptyStatement');
    // JSON.stringify throws for a bigint and writes a RegExp as {}.
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
