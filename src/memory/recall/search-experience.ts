import type { AcceptedEdit, Lesson, WithheldMemory } from '../../schema/generated.ts';
import { isWithheld } from '../lessons/may-be-withheld.ts';
import { isStanding } from '../lessons/standing.ts';

/**
 * Edits that worked before, by which the search actor orders its candidates: operators (in backticks) of standing fix
 * patterns, followed by earlier repairs, oldest first. A pattern with the operator and file of a repair is left out, and
 * so is what the loop must not be told.
 */
export function searchExperience(
  repairs: readonly AcceptedEdit[],
  lessons: readonly Lesson[],
  withheld?: WithheldMemory,
): readonly AcceptedEdit[] {
  const [kept, told] = withhold(repairs, lessons, withheld);
  return experienceOf(kept, told);
}

/** Both without what is withheld: a withheld lesson takes the repairs along that it was made from. */
function withhold(
  repairs: readonly AcceptedEdit[],
  lessons: readonly Lesson[],
  withheld: WithheldMemory | undefined,
): [readonly AcceptedEdit[], readonly Lesson[]] {
  if (withheld === undefined) return [repairs, lessons];
  const told = lessons.filter((lesson) => !isWithheld(lesson, withheld));
  if (withheld.all) return [[], told];
  const hidden = lessons.filter((lesson) => isWithheld(lesson, withheld));
  const gone = new Set(hidden.flatMap(editsOf).map(keyOf));
  const isSource = (repair: AcceptedEdit): boolean =>
    gone.has(keyOf(repair)) || hidden.some(({ claim }) => isEditOf(claim, repair));
  return [repairs.filter((repair) => !isSource(repair)), told];
}

/** True where the claim says of the repair's edit that it worked: the repair has the lines of the claim, or a part of them. */
function isEditOf(claim: Lesson['claim'], { file_path, edit }: AcceptedEdit): boolean {
  if (claim?.kind !== 'edit_works' || claim.file !== file_path) return false;
  const { from, to } = /^.*?: (?<from>.*) → (?<to>.*?)(?: @|$)/.exec(edit)?.groups ?? {};
  return isPart(from, claim.before) && isPart(to, claim.after);
}

/** A long side of a repair is cut and ends with `…`; an empty one is `(nothing)`. */
function isPart(side: string | undefined, code = ''): boolean {
  const part = side === '(nothing)' ? '' : side?.replace(/…$/, '');
  return part !== undefined && onOneLine(code).includes(part);
}

function onOneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}

function keyOf({ operator, file_path }: AcceptedEdit): string {
  return `${operator}\0${file_path}`;
}

function experienceOf(repairs: readonly AcceptedEdit[], lessons: readonly Lesson[]): readonly AcceptedEdit[] {
  const known = new Set(repairs.map(keyOf));
  const patterns = lessons
    .filter((lesson) => isStanding(lesson) && lesson.type === 'fix_pattern')
    .flatMap(editsOf)
    .filter((edit) => !known.has(keyOf(edit)));
  return [...patterns, ...repairs];
}

function editsOf({ text, files }: Lesson): AcceptedEdit[] {
  const operators = [...text.matchAll(/`([a-z][a-z-]{2,40})`/g)].map(([, name]) => name!);
  const test_file = files.find(isTestFile) ?? '';
  const file_path = files.find((file) => !isTestFile(file)) ?? '';
  const edit = editIn(text, file_path);
  return [...new Set(operators)].map((operator) => ({ operator, edit, file_path, test_file }));
}

/** The edit in a repair's format, `file: before → after @hash`; empty where the text has none. */
function editIn(text: string, file: string): string {
  const quoted = /"(?:[^"\\]|\\.)* → (?:[^"\\]|\\.)*"/.exec(text)?.[0];
  if (quoted === undefined) return '';
  try {
    return `${file}: ${JSON.parse(quoted) as string} @0`.slice(0, 600);
  } catch {
    return '';
  }
}

function isTestFile(file: string): boolean {
  return /(^|\/)(tests?|__tests__|specs?)\/|[.-](test|spec)\.[cm]?[jt]sx?$/.test(file);
}
