import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { Edit } from '../../repair/syntax/edit.ts';
import { applyEdits } from '../../repair/syntax/edit.ts';
import { parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import { sitesOf, type Site } from '../../repair/syntax/walk.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import { changedBlocks, type ChangedBlock } from './changed-blocks.ts';

/** A file of product code with changed lines. */
export interface ChangedSource {
  /** Relative to the root. */
  readonly file: string;
  readonly parsed: ParsedSource;
  readonly blocks: readonly ChangedBlock[];
  /** Changed lines on which code begins, 1-based, ascending: no comments, types, imports or lone brackets. */
  readonly codeLines: readonly number[];
}

const MAX_CHARS = 500_000;

/** The changed product code of the result. Files that are tests, configuration, generated or do not parse are left out. */
export function changedSources({ root, changes, testFiles }: StrengthRequest): ChangedSource[] {
  const tests = new Set(testFiles);
  const byFile = Map.groupBy(changedBlocks(changes.patch), ({ file }) => file);
  return [...byFile].flatMap(([file, blocks]) => {
    if (tests.has(file) || !isEditableSource(file)) return [];
    const parsed = read(root, file);
    return parsed === undefined ? [] : [{ file, parsed, blocks, codeLines: codeLinesOf(parsed, blocks) }];
  });
}

function read(root: string, file: string): ParsedSource | undefined {
  try {
    const text = readTreeTextSync(join(root, file));
    const parsed = text.length > MAX_CHARS ? undefined : parseSource(file, text);
    return parsed === undefined || 'problem' in parsed ? undefined : parsed;
  } catch {
    return undefined;
  }
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

function codeLinesOf({ tree, text }: ParsedSource, blocks: readonly ChangedBlock[]): number[] {
  const changed = new Set(
    blocks.flatMap(({ line, lines }) => Array.from({ length: lines }, (_, at) => line + at)),
  );
  const lines = sitesOf(tree.program)
    .filter(isCode)
    .filter(({ node }) => text.slice(startOf(node)).trim() !== '')
    .map(({ node }) => node.loc!.start.line);
  return [...new Set(lines)].filter((line) => changed.has(line)).sort((a, b) => a - b);
}

const NO_CODE = new Set([
  'Program',
  'File',
  'BlockStatement',
  'ParenthesizedExpression',
  'EmptyStatement',
  'ExportSpecifier',
]);

function isCode({ node, parent }: Site): boolean {
  if (NO_CODE.has(node.type) || parent?.node.type === 'ExportSpecifier') return false;
  return !(node.type === 'ClassProperty' && !node.value) && !/^TS/.test(node.type);
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
