import { changesOf, type LineChange } from './line-changes.ts';
import { locateEdit, normalForms, type Edit, type Located } from './locate-edit.ts';
import { describeMiss } from './nearest-lines.ts';
import type { Likeness } from './normal-text.ts';

export type { Edit } from './locate-edit.ts';

/** What edits made of a text; or why none was made, told to whoever wrote them. */
export type EditOutcome =
  | {
      readonly ok: true;
      readonly text: string;
      readonly changes: readonly LineChange[];
      /** What was looked past to find old text, beyond line ends. */
      readonly lookedPast: readonly Likeness[];
    }
  | { readonly ok: false; readonly problem: string };

const MAX_LINES_NAMED = 10;
const MAX_MISSES_DESCRIBED = 3;
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Replaces each old text, which must be in the original text exactly once, by its new text; all or none. What
 * does not match exactly may differ in line ends, white space at line ends and look-alike characters. Lines
 * that no edit changes stay as they are, byte for byte; new lines end as the lines around them do.
 */
export function applyEdits(text: string, edits: readonly Edit[]): EditOutcome {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const formOf = normalForms(body);
  const results = edits.map((edit) => check(body, formOf, plain(edit)));
  const problems = describeProblems(body, edits, results);
  if (problems.length > 0) return { ok: false, problem: problems.join('\n') };

  const located = results as readonly Located[];
  const conflict = findConflict(body, located);
  if (conflict !== undefined) return { ok: false, problem: conflict };
  const splices = located.map(({ splice }) => splice).sort((a, b) => a.start - b.start || a.end - b.end);
  const made = mark + splice(body, splices);
  if (made === text)
    return { ok: false, problem: 'The edits change nothing: the file is like that already.' };
  const likenesses = new Set(located.map(({ likeness }) => likeness));
  likenesses.delete('line ends');
  return { ok: true, text: made, changes: changesOf(body, splices), lookedPast: [...likenesses] };
}

/** Where an edit goes, or what is wrong with it; undefined where its old text is not in the text. */
function check(
  body: string,
  formOf: ReturnType<typeof normalForms>,
  edit: Edit,
): Located | string | undefined {
  if (edit.oldText === '') return 'oldText is empty. To create or replace a whole file, use write.';
  if (edit.oldText === edit.newText) return 'newText is the same as oldText; nothing would change.';
  const location = locateEdit(body, formOf, edit);
  if (location.kind === 'several') return describeSeveral(body, location.starts);
  return location.kind === 'found' ? location : undefined;
}

/** One sentence or more for each edit that failed; what is most like old text is looked up for the first few. */
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
      isDescribed ? describeMiss(body, plain(edits[index]!)) : 'oldText is not in the file.';
    return [numbered(result ?? miss(), index, edits)];
  });
}

function describeSeveral(body: string, starts: readonly number[]): string {
  const named = starts.slice(0, MAX_LINES_NAMED).map((start) => lineAt(body, start));
  const more = starts.length > named.length ? ', …' : '';
  const lines = [...new Set(named)].join(', ');
  return `oldText occurs ${starts.length} times, at lines ${lines}${more}. Add lines around it that make it unique.`;
}

/** Two edits of which one changes what the other matched. Equal lines around both may be shared. */
function findConflict(body: string, located: readonly Located[]): string | undefined {
  for (const [index, one] of located.entries()) {
    const other = located.findIndex((another, at) => at > index && collide(one, another));
    if (other === -1) continue;
    const line = lineAt(body, Math.max(one.matched.start, located[other]!.matched.start));
    return `Edits ${index + 1} and ${other + 1} overlap at line ${line}. Make one edit of them.`;
  }
  return undefined;
}

function collide(one: Located, another: Located): boolean {
  const isSamePlace = [one, another].every(
    ({ splice }) => splice.start === splice.end && splice.start === one.splice.start,
  );
  return isSamePlace || changesIn(one, another) || changesIn(another, one);
}

function changesIn({ splice: { start, end } }: Located, { matched }: Located): boolean {
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

/** Without byte order mark, lines ended by LF. */
function plain({ oldText, newText }: Edit): Edit {
  const strip = (text: string): string => text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
  return { oldText: strip(oldText), newText: strip(newText) };
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
