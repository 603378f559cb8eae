import type { Hunk } from '../../../platform/text/patch-hunks.ts';
import type { ChangedLines } from './claim.ts';

/** The changes of all hunks, in order. */
export function changedLines(hunks: readonly Hunk[]): ChangedLines[] {
  return hunks.flatMap(({ file, edits }) =>
    edits.map(({ line, removed, added }) => ({
      file,
      line,
      before: removed.join('\n'),
      after: added.join('\n'),
    })),
  );
}
