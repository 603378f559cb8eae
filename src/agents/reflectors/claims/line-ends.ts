import { changesLineEnds, type Hunk } from '../../../platform/text/patch-hunks.ts';
import type { ChangedLines } from './claim.ts';

/** A change of the line ends of a file, with the changes of its code. */
interface LineEndsChange {
  readonly file: string;
  /** Lines that end differently, and how they end now. */
  readonly lines: number;
  readonly to: 'CRLF' | 'LF';
  readonly edits: readonly ChangedLines[];
}

/**
 * The change of the ends of several lines of one file, with the changes of its code; undefined where the ends stayed, and where
 * lines were added or removed, so that it is not known which line was which.
 */
export function lineEndsChange(hunks: readonly Hunk[]): LineEndsChange | undefined {
  const [first] = hunks;
  const isOne = first !== undefined && hunks.every(({ file }) => file === first.file);
  if (!isOne || !hunks.every(changesLineEnds)) return undefined;
  const edits = hunks.flatMap(({ edits: all }) => all);
  const lines = edits.reduce((sum, { added }) => sum + added.length, 0);
  if (lines < 2 || edits.some(({ removed, added }) => removed.length !== added.length)) return undefined;
  const changed = edits.flatMap(({ line, removed, added }) =>
    added.flatMap((after, at): ChangedLines[] => {
      const [from, to] = [bare(removed[at]!), bare(after)];
      return from === to ? [] : [{ file: first.file, line: line + at, before: from, after: to }];
    }),
  );
  const to = first.added[0]!.endsWith('\r') ? 'CRLF' : 'LF';
  return { file: first.file, lines, to, edits: changed };
}

const bare = (line: string): string => line.replace(/\r$/, '');
