import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import { sitesOf, type Site } from '../../repair/syntax/walk.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import { changedBlocks } from './changed-blocks.ts';
import type { ChangedSource } from './changed-source.ts';
import { withoutRenamings } from './compared-blocks.ts';

const MAX_CHARS = 500_000;

/**
 * The changed product code of the result, but for names that are only other ones. Files that are tests, configuration,
 * generated or do not parse are left out.
 */
export function changedSources({ root, changes, testFiles }: StrengthRequest): ChangedSource[] {
  const tests = new Set(testFiles);
  const byFile = Map.groupBy(changedBlocks(changes.patch), ({ file }) => file);
  const sources = [...byFile].flatMap(([file, blocks]) => {
    if (tests.has(file) || !isEditableSource(file)) return [];
    const parsed = read(root, file);
    return parsed === undefined ? [] : [{ file, parsed, blocks, codeLines: [] }];
  });
  return withoutRenamings(sources, changes.patch).map((source) => ({
    ...source,
    codeLines: codeLinesOf(source),
  }));
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

function codeLinesOf({ parsed: { tree, text }, blocks }: ChangedSource): number[] {
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
