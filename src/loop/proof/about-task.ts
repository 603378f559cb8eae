import type { Criterion } from '../../schema/generated.ts';

/** A task that names checks themselves is about all of them. */
const OF_CHECKS =
  /\b(tests?|suite|checks?|ci|builds?|lint(er|ing)?|type ?(checks?|errors?)|typescript|compil\w+|red|green|failing|failures?|regressions?)\b/i;
/** Words of repair, which say nothing about what is broken. */
const OF_REPAIR = /\b(fail(s|ed)?|bugs?|broken|breaks|fix(es|ed)?|repairs?|errors?|wrong|works?)\b/gi;
/** It asks for something that is not there yet. */
const ASKS_FOR_NEW = /^\W*(add|implement|create|write|build|introduce|support|provide|extend)\b/i;
const LEADING_VERB = /^\W*(add|implement|create|make|write|let|build|introduce|support|provide|extend)\b/i;
const NO_MEANING = new Set(
  'the and for with that this from into when should must does not are tests spec src lib index case cases all whatever everything something still give show use return get set have has'.split(
    ' ',
  ),
);

/** A file that a task names; the group is its name without folder and ending. */
const FILE = /(?:[\w.-]+\/)*([\w-]+)\.[a-z]{1,4}\b/g;

/**
 * Whether checks that were red may show that a task is done: it names checks, speaks of nothing but repair, or shares half of
 * its words, or two, with the names of the failing tests and their files, and the name of a file that it names. A task of a
 * list must meet this; one that stands alone fails only if it asks for something new and shares no word.
 */
export function isAboutTask(task: string, { text, tests }: Criterion, isListed: boolean): boolean {
  if (OF_CHECKS.test(task)) return true;
  const words = wordsOf(task.replace(LEADING_VERB, '').replace(OF_REPAIR, ' '));
  const named = wordsOf([text, ...tests].join(' '));
  const isNamed = (word: string): boolean => [...named].some((other) => isSameStem(word, other));
  const shared = [...words].filter(isNamed).length;
  const files = [...task.matchAll(FILE)].flatMap(([, name]) => [...wordsOf(name!)]);
  const isElsewhere = files.length > 0 && !files.some(isNamed);
  if (words.size === 0 || (!isElsewhere && (shared >= 2 || shared >= words.size / 2))) return true;
  return !isListed && (shared > 0 || !ASKS_FOR_NEW.test(task));
}

const STEM_CHARS = 4;

/** `slug` and `slugify`. */
function isSameStem(one: string, other: string): boolean {
  if (one === other) return true;
  const isLong = Math.min(one.length, other.length) >= STEM_CHARS;
  return isLong && (one.startsWith(other) || other.startsWith(one));
}

/** Lower-case words of three letters or more, without a plural's `s`; names in camelCase are split. */
function wordsOf(text: string): Set<string> {
  const split = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = (split.match(/[a-z]{3,}/g) ?? []).filter((word) => !NO_MEANING.has(word));
  return new Set(words.map((word) => word.replace(/(?<=..)s$/, '')));
}
