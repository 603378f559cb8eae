import type { Criterion } from '../../schema/generated.ts';

/** A task that names failures themselves is about all of them. */
const OF_FAILURES =
  /\b(tests?|fail(s|ed|ing|ures?)?|red|green|bugs?|broken|breaks|fix(es)?|repairs?|checks?|build|ci|lint(ing)?|types?|errors?|suite|regressions?)\b/i;
/** It says that something is to be done, and not with what. */
const LEADING_VERB = /^\W*(add|implement|create|make|write|let)\b/i;
const NO_MEANING = new Set(
  'the and for with that this from into when should must does not are test tests spec src lib index case cases all'.split(
    ' ',
  ),
);

/**
 * Whether checks that were red may show that a task is done: it speaks of failures, or shares a word with the names of the
 * failing tests and their files.
 */
export function isAboutTask(task: string, { text, tests }: Criterion): boolean {
  if (OF_FAILURES.test(task)) return true;
  const words = wordsOf(task.replace(LEADING_VERB, ''));
  return wordsOf([text, ...tests].join(' ')).some((word) => words.includes(word));
}

/** Lower-case words of three letters or more, without a plural's `s`; names in camelCase are split. */
function wordsOf(text: string): string[] {
  const split = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = (split.match(/[a-z]{3,}/g) ?? []).filter((word) => !NO_MEANING.has(word));
  return words.map((word) => word.replace(/(?<=..)s$/, ''));
}
