import type { Edit } from '../../repair/syntax/edit.ts';
import { applyEdits } from '../../repair/syntax/edit.ts';
import { parseSource, type ParsedSource } from '../../repair/syntax/parse.ts';
import { sitesOf, type Site } from '../../repair/syntax/walk.ts';
import type { ChangedBlock } from './changed-blocks.ts';

/** A file of product code with changed lines. */
export interface ChangedSource {
  /** Relative to the root. */
  readonly file: string;
  readonly parsed: ParsedSource;
  readonly blocks: readonly ChangedBlock[];
  /** Changed lines on which code begins, 1-based, ascending: no comments, types, imports or lone brackets. */
  readonly codeLines: readonly number[];
}

/** The edit that puts the base's lines of a block back. */
export function revertOf({ file, parsed }: ChangedSource, block: ChangedBlock): Edit {
  const starts = lineStarts(parsed.text);
  const start = starts[block.line - 1] ?? parsed.text.length;
  const end = starts[block.line - 1 + block.lines] ?? parsed.text.length;
  return { file, start, end, replacement: block.before.map((line) => `${line}\n`).join('') };
}

/** Whether the edit changes anything that runs: not only comments, layout, parentheses or types. */
export function changesCode(parsed: ParsedSource, edits: readonly Edit[]): boolean {
  const other = parseSource(parsed.file, applyEdits(parsed.text, edits));
  return 'problem' in other || fingerprintOf(other) !== fingerprintOf(parsed);
}

/** Text that is equal for programs that differ only in comments, layout, parentheses, quotes or types. */
function fingerprintOf({ tree }: ParsedSource): string {
  const imports = tree.program.body.flatMap((node) => {
    const isImport = node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration';
    return isImport && !(node.type === 'ImportDeclaration' && node.importKind === 'type')
      ? [JSON.stringify(node, (key, value: unknown) => (POSITIONS.has(key) ? undefined : value))]
      : [];
  });
  const directives = tree.program.directives.map(({ value }) => value.value);
  const sites = sitesOf(tree.program).filter(({ node }) => !WRAPPINGS.has(node.type));
  return [...directives, ...imports, ...sites.map(describe)].join('\n');
}

/** Expressions that are what they contain. */
const WRAPPINGS = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
]);

const POSITIONS = new Set([
  'loc',
  'start',
  'end',
  'extra',
  'range',
  'leadingComments',
  'trailingComments',
  'innerComments',
]);

function describe(site: Site): string {
  const fields = Object.entries(site.node).filter(
    ([key, value]) => !POSITIONS.has(key) && (typeof value !== 'object' || key === 'value'),
  );
  let depth = 0;
  let key = site.key;
  for (let at = site.parent; at !== undefined; at = at.parent) {
    if (WRAPPINGS.has(at.node.type)) key = depth === 0 ? at.key : key;
    else depth++;
  }
  const plain = fields.map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : valueOf(value),
  ]);
  return `${depth} ${key} ${JSON.stringify(plain)}`;
}

/** Template elements keep their text in an object; other objects are child nodes with sites of their own. */
function valueOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'raw' in value ? value : null;
}

/** Offsets of the lines' first units; index 0 is line 1. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
