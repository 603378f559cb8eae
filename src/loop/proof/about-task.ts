import type { Criterion } from '../../schema/generated.ts';

/** A task that names failures themselves is about all of them. */
const OF_FAILURES =
  /\b(tests?|fail(s|ed|ing|ures?)?|red|green|bugs?|broken|breaks|fix(es)?|repairs?|checks?|build|ci|lint(ing)?|types?|errors?|suite|regressions?)\b/i;
const NO_MEANING = new Set(
  'the and for with that this from into when should must does not are test tests spec src lib index case cases add adds all'.split(
    ' ',
  ),
);

/**
 * Whether checks that were red may show that a task is done: it speaks of failures, or shares a word with the names of the
 * failing tests and their files.
 */
export function isAboutTask(task: string, { text, tests }: Criterion): boolean {
  if (OF_FAILURES.test(task)) return true;
  const words = wordsOf(task);
  return wordsOf([text, ...tests].join(' ')).some((word) => words.includes(word));
}

/** Lower-case words of three letters or more; names in camelCase are split. */
function wordsOf(text: string): string[] {
  const split = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return (split.match(/[a-z]{3,}/g) ?? []).filter((word) => !NO_MEANING.has(word));
}
