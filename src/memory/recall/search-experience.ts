import type { AcceptedEdit, Lesson } from '../../schema/generated.ts';
import { isStanding } from '../lessons/standing.ts';

/**
 * Edits that worked before, by which the search actor orders its candidates: operators (in backticks) of standing fix
 * patterns, followed by earlier repairs, oldest first. A pattern with the operator and file of a repair is left out.
 */
export function searchExperience(
  repairs: readonly AcceptedEdit[],
  lessons: readonly Lesson[],
): readonly AcceptedEdit[] {
  const known = new Set(repairs.map(({ operator, file_path }) => `${operator}\0${file_path}`));
  const patterns = lessons
    .filter((lesson) => isStanding(lesson) && lesson.type === 'fix_pattern')
    .flatMap(editsOf)
    .filter(({ operator, file_path }) => !known.has(`${operator}\0${file_path}`));
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
