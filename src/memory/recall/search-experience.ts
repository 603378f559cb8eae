import type { AcceptedEdit, Lesson } from '../../schema/generated.ts';
import { isStanding } from '../lessons/standing.ts';

/**
 * What fixed things before, for the order of the next search: earlier repairs, and the operators (`in backticks`) that
 * standing fix patterns name. A pattern that says what a repair says already does not count twice. Oldest first.
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

/** As a repair has it, `file: before → after @hash`; empty where the text does not say. */
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
