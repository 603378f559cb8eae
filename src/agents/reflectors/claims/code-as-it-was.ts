import { changedFiles, parseHunks, withoutEdits } from '../../../platform/text/patch-hunks.ts';
import type { ReflectionInput } from '../../../ports/reflection.ts';
import { isSameProgram } from '../../../repair/syntax/same-program.ts';
import type { Diagnostic } from '../../../schema/generated.ts';
import { sourceLines } from '../source-lines.ts';

/** Failures of the start that are gone: those that an edit may have fixed, and those that pass although no code is another one. */
export interface Gone {
  readonly fixed: readonly Diagnostic[];
  readonly passing: readonly Diagnostic[];
}

/**
 * Tells failures that an edit may have fixed from others: after an attempt that changed no code, tests and commands pass for
 * another reason, such as the clock. Tools read comments and types too, so their errors are fixed by any edit.
 */
export function goneOf(fixed: readonly Diagnostic[], input: ReflectionInput): Gone {
  if (fixed.length === 0 || !isCodeAsItWas(input)) return { fixed, passing: [] };
  const isOfTool = ({ test_id: id, type }: Diagnostic): boolean => id === undefined && TOOL_ERRORS.has(type);
  return { fixed: fixed.filter(isOfTool), passing: fixed.filter((one) => !isOfTool(one)) };
}

const TOOL_ERRORS: ReadonlySet<Diagnostic['type']> = new Set(['lint_error', 'type_error', 'syntax_error']);

/** Files without code. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS)$/i;
const PARSED = /\.[cm]?[jt]sx?$/;

/** True where the attempt changed nothing but texts, comments, layout or types. */
function isCodeAsItWas({ patch, loop }: ReflectionInput): boolean {
  const sources = sourceLines(loop?.root);
  return changedFiles(patch).every((file) => {
    if (PROSE.test(file)) return true;
    const hunks = parseHunks(patch).filter((hunk) => hunk.file === file);
    if (hunks.length === 0 || hunks.some(({ isNewFile, isDeletedFile }) => isNewFile || isDeletedFile))
      return false;
    const after = sources.linesOf(file);
    const before = after === undefined ? undefined : withoutEdits(after, hunks);
    if (before === undefined || !PARSED.test(file))
      return hunks.every(({ removed, added }) =>
        [...removed, ...added].every((line) => /^\s*(?:(?:#|\/\/)\s.*)?$/.test(line)),
      );
    return isSameProgram(file, before.join('\n'), after!.join('\n'));
  });
}
