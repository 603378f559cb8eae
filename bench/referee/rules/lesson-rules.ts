import type { Diagnostic } from '../../../src/schema/generated.ts';
import { errorsOf, type Facts } from '../facts.ts';
import { isNamed, namesIn, passes } from '../failures.ts';
import { shows, SPAN, type Rule } from './rule.ts';

const withoutMessage = (list: string): string =>
  list.replace(/ \([^()]*(?:\([^()]*\)[^()]*)*\)(?=, | and |$)/g, '');

/** Whether the only change of the attempt is the edit of the lesson. */
function isEdit(facts: Facts, file: string, from: string | undefined, to: string | undefined): boolean {
  const [hunk, ...others] = facts.hunks();
  return (
    others.length === 0 &&
    hunk?.file === file &&
    (from === undefined || shows(from, hunk.removed)) &&
    (to === undefined || shows(to, hunk.added))
  );
}

function haveFailed(facts: Facts, list: string): boolean {
  const { names } = namesIn(withoutMessage(list));
  return (
    names.length > 0 &&
    names.every((name) =>
      errorsOf(facts.attempt.evaluation).some((one) => isNamed(one, name) || one.rule === name),
    )
  );
}

/** Whether a run of each named test runs a line of the edit; of errors of a tool, whether all are on these lines. */
function isSeenBy(facts: Facts, list: string): boolean {
  const { names, more } = namesIn(withoutMessage(list));
  const errors = errorsOf(facts.attempt.evaluation);
  const isWritten = (one: Diagnostic): boolean => facts.written(one.file ?? '').has(one.line ?? 0);
  const written = errors.filter((one) => one.test_id === undefined && isWritten(one));
  const tests = names.flatMap(
    (name) => errors.find((one) => one.test_id !== undefined && isNamed(one, name)) ?? [],
  );
  const areRun = tests.every((one) =>
    facts.rerunOf(one, facts.writtenLines()).some((seen) => seen.length > 0),
  );
  const others = names.filter((name) => written.some((one) => isNamed(one, name) || one.rule === name));
  return tests.length > 0
    ? areRun && more === 0 && tests.length === names.length
    : others.length === names.length && written.length === names.length + more;
}

function areFixed(facts: Facts, list: string): boolean {
  const { names } = namesIn(withoutMessage(list));
  const { before, evaluation } = facts.attempt;
  return (
    names.length > 0 &&
    names.every((name) =>
      errorsOf(before).some((one) => (isNamed(one, name) || one.rule === name) && passes(one, evaluation)),
    )
  );
}

const EDIT = `(?:changing (${SPAN}) to (${SPAN})|adding (${SPAN})|removing (${SPAN}))`;

/** Lessons, against the diff and the evaluations of their attempt. */
export const LESSON_RULES: readonly Rule[] = [
  [
    new RegExp(`^In (\\S+), ${EDIT} alone did not fix (.*)$`),
    (facts, [, file, from, to, added, removed, list]) =>
      isEdit(facts, file!, from ?? removed, to ?? added) &&
      haveFailed(facts, list!) &&
      isSeenBy(facts, list!),
  ],
  [
    new RegExp(`^In (\\S+), ${EDIT} fixed (.*)$`),
    (facts, [, file, from, to, added, removed, list]) =>
      isEdit(facts, file!, from ?? removed, to ?? added) && areFixed(facts, list!),
  ],
  [
    /^Changes in (\S+) alone fixed (.*)$/,
    (facts, [, file, list]) => facts.changedFiles().join() === file && areFixed(facts, list!),
  ],
];
