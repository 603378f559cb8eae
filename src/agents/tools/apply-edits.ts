import { changesOf, type LineChange } from './line-changes.ts';
import { locateEdit, normalizedForms, type Edit, type Located } from './locate-edit.ts';
import { describeMissingText } from './nearest-lines.ts';
import type { Tolerance } from './normalized-text.ts';

export type { Edit } from './locate-edit.ts';

/** The edited text and its changes, or the problem as a text for the model that sent the edits. */
export type EditOutcome =
  | {
      readonly ok: true;
      readonly text: string;
      readonly changes: readonly LineChange[];
      /** The differences ignored to find old text, other than line ends. */
      readonly ignored: readonly Tolerance[];
    }
  | { readonly ok: false; readonly problem: string };

const MAX_LINES_NAMED = 10;
const MAX_MISSES_DESCRIBED = 3;
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Applies all edits or none. Each old text must occur exactly once in the original text; where it has no exact match,
 * differences in line ends, trailing white space and look-alike characters are ignored. Lines that no edit changes
 * keep their bytes; new lines get the line ends of the lines around them.
 */
export function applyEdits(text: string, edits: readonly Edit[]): EditOutcome {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const formOf = normalizedForms(body);
  const results = edits.map((edit) => check(body, formOf, withLf(edit)));
  const problems = describeProblems(body, edits, results);
  if (problems.length > 0) return { ok: false, problem: problems.join('\n') };

  const located = results as readonly Located[];
  const conflict = findConflict(body, located);
  if (conflict !== undefined) return { ok: false, problem: conflict };
  const splices = located.map(({ splice }) => splice).sort((a, b) => a.start - b.start || a.end - b.end);
  const edited = mark + splice(body, splices);
  if (edited === text)
    return { ok: false, problem: 'The edits change nothing: the file has this text already.' };
  const ignored = new Set(located.map(({ tolerance }) => tolerance));
  ignored.delete('line ends');
  return { ok: true, text: edited, changes: changesOf(body, splices), ignored: [...ignored] };
}

/** The edit's location, or its problem; undefined if the old text is not found. */
function check(
  body: string,
  formOf: ReturnType<typeof normalizedForms>,
  edit: Edit,
): Located | string | undefined {
  if (edit.oldText === '') return 'oldText is empty. To create or replace a whole file, use write.';
  if (edit.oldText === edit.newText) return 'newText is the same as oldText; nothing would change.';
  const location = locateEdit(body, formOf, edit);
  if (location.kind === 'several') return describeSeveral(body, location.starts);
  return location.kind === 'found' ? location : undefined;
}

/** One problem for each failed edit; for the first three missing texts, with the most similar lines. */
function describeProblems(
  body: string,
  edits: readonly Edit[],
  results: readonly (Located | string | undefined)[],
): string[] {
  if (edits.length === 0) return ['There are no edits.'];
  const missing = results.flatMap((result, index) => (result === undefined ? [index] : []));
  return results.flatMap((result, index) => {
    if (typeof result === 'object') return [];
    const isDescribed = missing.indexOf(index) < MAX_MISSES_DESCRIBED;
    const miss = (): string =>
      isDescribed ? describeMissingText(body, withLf(edits[index]!)) : 'oldText is not in the file.';
    return [numbered(result ?? miss(), index, edits)];
  });
}

function describeSeveral(body: string, starts: readonly number[]): string {
  const named = starts.slice(0, MAX_LINES_NAMED).map((start) => lineAt(body, start));
  const more = starts.length > named.length ? ', …' : '';
  const lines = [...new Set(named)].join(', ');
  return `oldText occurs ${starts.length} times, at lines ${lines}${more}. Add surrounding lines to make it unique.`;
}

/** The first two edits of which one changes text that the other matched; they may share unchanged lines. */
function findConflict(body: string, located: readonly Located[]): string | undefined {
  for (const [index, one] of located.entries()) {
    const other = located.findIndex((another, at) => at > index && conflicts(one, another));
    if (other === -1) continue;
    const line = lineAt(body, Math.max(one.matched.start, located[other]!.matched.start));
    return `Edits ${index + 1} and ${other + 1} overlap at line ${line}. Combine them into one edit.`;
  }
  return undefined;
}

function conflicts(one: Located, another: Located): boolean {
  const isSamePlace = [one, another].every(
    ({ splice }) => splice.start === splice.end && splice.start === one.splice.start,
  );
  return isSamePlace || changesMatchOf(one, another) || changesMatchOf(another, one);
}

function changesMatchOf({ splice: { start, end } }: Located, { matched }: Located): boolean {
  return start < matched.end && end > matched.start;
}

function splice(text: string, splices: readonly { start: number; end: number; text: string }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: added } of splices) {
    parts.push(text.slice(at, start), added);
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function numbered(problem: string, index: number, edits: readonly Edit[]): string {
  return edits.length === 1 ? problem : `Edit ${index + 1}: ${problem}`;
}

/** The edit without byte order marks and with LF line ends. */
function withLf({ oldText, newText }: Edit): Edit {
  const strip = (text: string): string => text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
  return { oldText: strip(oldText), newText: strip(newText) };
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
