import { withoutEdits } from '../../../platform/text/patch-hunks.ts';
import { failureName, oneLine, placeClause, renderPlace } from '../../../prompts/phrases.ts';
import type { Diagnostic } from '../../../schema/generated.ts';
import type { Evidence } from '../evidence.ts';
import { sourceLines, type SourceLines } from '../source-lines.ts';

/** The name of a failure, with the place of one that is no test. */
export function nameOf(failure: Diagnostic): string {
  const name = failureName(failure).replace(/^an? (?=[a-z ]+ of ")/, 'the ');
  return name.startsWith('the test ') ? name : `${name}${placeClause(failure)}`;
}

/** When the failure is seen: while its test runs, or its check. */
export function duringOf(failure: Diagnostic): string {
  const name = failureName(failure);
  return name.startsWith('the test ')
    ? `while ${name} runs`
    : `while the check "${oneLine(failure.check, 60)}" runs`;
}

/** Where the failure is reported: its place, or its check. */
export function spotOf({ file, line, check }: Diagnostic): string {
  return file === undefined ? `the check "${oneLine(check, 60)}"` : renderPlace({ file, line });
}

/** The lines of the tree that the next attempt starts from: those of this attempt, without its edits if these are not kept. */
export function nextSources({ changed, hunks, input, isKept }: Evidence): SourceLines {
  const sources = sourceLines(input.loop?.root);
  if (isKept) return sources;
  const linesBefore = (file: string): readonly string[] | undefined => {
    const own = hunks.filter((hunk) => hunk.file === file);
    const isOnlyAdded = own.length === 0 || own[0]!.isNewFile;
    return isOnlyAdded ? undefined : withoutEdits(sources.linesOf(file) ?? [], own);
  };
  return {
    linesOf: (file) => (changed.includes(file) ? linesBefore(file) : sources.linesOf(file)),
    inSource: (place) => sources.inSource(place),
  };
}
