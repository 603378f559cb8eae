import type { Edit } from '../../repair/syntax/edit.ts';
import { applyEdits } from '../../repair/syntax/edit.ts';
import { parseSource, type ParsedSource } from '../../repair/syntax/parse.ts';
import { fingerprintOf } from '../../repair/syntax/same-program.ts';
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

/** The text of the base. */
export function baseOf(source: ChangedSource): string {
  return applyEdits(
    source.parsed.text,
    source.blocks.map((block) => revertOf(source, block)),
  );
}

/** Whether the edit changes anything that runs: not only comments, layout, parentheses or types. */
export function changesCode(parsed: ParsedSource, edits: readonly Edit[]): boolean {
  const other = parseSource(parsed.file, applyEdits(parsed.text, edits));
  return 'problem' in other || fingerprintOf(other) !== fingerprintOf(parsed);
}

/** Offsets of the lines' first units; index 0 is line 1. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
