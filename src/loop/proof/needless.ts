import { plural } from '../../platform/text/plural.ts';
import type { ChangedLines, Evaluation, ProofStrength } from '../../schema/generated.ts';
import { withProofFailures, type ProofFailure } from './proof-failure.ts';

const MAX_NAMED = 3;

/** Changes of code without which every check passes, in files that the user does not allow to be changed at will. */
export function needlessChanges(
  strength: ProofStrength | undefined,
  isAllowed: (path: string) => boolean = () => false,
): readonly ChangedLines[] {
  return (strength?.unneeded ?? []).filter(({ file }) => !isAllowed(file));
}

/** Why such a result is not accepted, as two sentences. */
export function describeNeedless(all: readonly ChangedLines[]): string {
  const takenBack = all.filter(({ always }) => always === undefined);
  const needless = takenBack.length > 0 ? takenBack : all.slice(0, 1);
  const named = needless.slice(0, MAX_NAMED).map(placeOf).join(', ');
  const more = needless.length > MAX_NAMED ? ` and ${needless.length - MAX_NAMED} more` : '';
  const [file] = needless.map((it) => it.file);
  const { removed, added, whole, always } = needless[0]!;
  if (always !== undefined)
    return `No check notices if ${answered(added, always, `at ${named}`)}, so nothing shows that it is right. ${remedyFor(always)}; --allow ${file} permits it.`;
  const part = removed ?? added;
  const what =
    needless.length > 1 || (part ?? whole) === undefined
      ? 'the change of'
      : whole !== undefined
        ? NAMES[whole]
        : `the ${removed === undefined ? 'addition' : 'removal'} of ${JSON.stringify(oneLine(part!))} at`;
  return `No check notices if ${what} ${named}${more} is taken back, so nothing shows that it is right. ${REMEDY}; --allow ${file} permits it.`;
}

const NAMES = { added: 'the new file', deleted: 'the deletion of' } as const;

/** A question of the change with the answer that may as well be given in any case. */
function answered(question: string | undefined, always: boolean, place: string): string {
  return `${JSON.stringify(oneLine(question ?? ''))} ${place} is always ${always}`;
}

function remedyFor(always: boolean): string {
  return `Leave the question out, or add a test in which it is ${!always}`;
}

const REMEDY = 'Take it back, or add a test that fails without it';

/** The evaluation as a failed one, with a failure for each of the changes. */
export function withNeedless(evaluation: Evaluation, needless: readonly ChangedLines[]): Evaluation {
  return withProofFailures(evaluation, needless.map(failureOf));
}

function failureOf({ file, line, lines, removed, added, whole, always }: ChangedLines): ProofFailure {
  const rule = 'needless-change';
  if (always !== undefined) {
    const message = `No check notices if ${answered(added, always, 'here')}. ${remedyFor(always)}.`;
    return { rule, message, file, line };
  }
  const what = whole
    ? `${NAMES[whole]} ${file}`
    : removed
      ? `the removal of ${JSON.stringify(oneLine(removed))} here`
      : added
        ? `the addition of ${JSON.stringify(oneLine(added))} here`
        : lines === 0
          ? 'what was removed here'
          : `the change of ${plural(lines, 'line')} here`;
  const message = `No check notices if ${what} is taken back. ${REMEDY}.`;
  return { rule, message, file, line };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function placeOf({ file, line, lines, whole }: ChangedLines): string {
  if (whole !== undefined) return file;
  return lines > 1 ? `${file}:${line}-${line + lines - 1}` : `${file}:${line}`;
}
