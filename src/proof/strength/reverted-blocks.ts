import type { Candidate, Edit } from '../../repair/syntax/edit.ts';
import { withImports } from './changed-imports.ts';
import type { ChangedBlock } from './changed-blocks.ts';
import { changesCode, revertOf, type ChangedSource } from './changed-source.ts';

/** A changed block, and the edit that puts the text of the base in its place. */
export interface RevertedBlock {
  readonly source: ChangedSource;
  readonly block: ChangedBlock;
  /** Puts the block back. */
  readonly edit: Edit;
  /** Code that the change takes out in the middle of the block, if that alone is put back. */
  readonly removed?: string;
  /** Code that the change adds in the middle of the block, if that alone is taken out. */
  readonly added?: string;
  /** The answer that the question in `added` has in any case. */
  readonly always?: boolean;
  /** What a type checker says of the edit tells nothing. */
  readonly ignoresTypes?: boolean;
  /** Only a declared type, which no test sees. */
  readonly isType?: boolean;
  /** With the imports that the block needs. */
  readonly candidate: Candidate;
}

/** The blocks whose text in the base is other code: not only comments, layout or types differ. */
export function revertedBlocks(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap((source) =>
    source.blocks.flatMap((block, at) => {
      const edit = shortest(source.parsed.text, revertOf(source, block));
      if (!changesCode(source.parsed, [edit])) return [];
      const signature = `${source.file}: block ${at}`;
      const edits = withImports(source, edit);
      const candidate = { edits, operator: 'revert', line: block.line, signature, prior: 1 };
      return [{ source, block, edit, candidate }];
    }),
  );
}

/** The same edit without what both texts have at their beginnings and ends: it lies in a smaller part of the code. */
function shortest(text: string, { file, start, end, replacement }: Edit): Edit {
  const before = text.slice(start, end);
  const most = Math.min(before.length, replacement.length);
  let head = 0;
  while (head < most && before[head] === replacement[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === replacement.at(-1 - tail)) tail++;
  return {
    file,
    start: start + head,
    end: end - tail,
    replacement: replacement.slice(head, replacement.length - tail),
  };
}
