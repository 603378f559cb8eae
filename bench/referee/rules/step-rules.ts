import { codeOf } from '../../../src/platform/text/code-span.ts';
import { errorsOf, Facts, flat } from '../facts.ts';
import { isNamed, passes } from '../failures.ts';
import { SPAN, type Rule } from './rule.ts';
import { placeOf } from './trace-rules.ts';

const VALUE = new RegExp(`check whether (${SPAN}) \\((.*?)\\) at (\\S+):(\\d+) is right for`, 'i');
const QUOTED = new RegExp(`(?:values in|, in|\\() ?(${SPAN})`, 'g');

/** The places, the quoted line, the named failures and the value of a step, in the tree that the next attempt starts from. */
function stepHolds(facts: Facts, step: string): boolean {
  const { attempt } = facts;
  const start = facts.next?.start ?? attempt.tree;
  const evaluation = facts.next?.before ?? attempt.evaluation;
  const value = VALUE.exec(step);
  const isKnown =
    value === null ||
    facts.rerun([{ ...placeOf(value[3]!, value[4]!), code: codeOf(value[1]!) }])[0]?.at(-1) ===
      value[2]!.replace(/…$/, '');
  // The last attempt has no successor whose start is recorded.
  const isLast = facts.next === undefined && attempt.startedFrom !== attempt.iteration - 1;
  if (isLast || !isKnown) return isKnown;
  const places = [...step.replace(/\(.*\)$/, '').matchAll(/(\S+\.[cm]?[jt]sx?):(\d+)/g)];
  const names = [...step.matchAll(/(the test "(?:.+?)")(?= |$)/g)].map(([, name]) => name!);
  const code = facts.allCode(start);
  return (
    places.every(([, file, line]) => facts.codeAt(start, file!, Number(line)) !== '') &&
    names.every((name) => errorsOf(evaluation).some((one) => isNamed(one, name))) &&
    [...step.matchAll(QUOTED)].every(([, span]) => code.includes(flat(codeOf(span!).replace(/…$/, ''))))
  );
}

/** The one step, against the tree that the next attempt starts from. */
export const STEP_RULES: readonly Rule[] = [
  [
    /^(?:In my next attempt I will )?add a test that tells the plausible edits apart, or apply one of them after reading it$/i,
    ({ attempt }) => (attempt.trajectory.alternatives?.length ?? 0) > 0,
  ],
  [
    /^(?:In my next attempt I will m|M)ake the change of attempt (\d+) again, which fixed (.*), without its edit of (.*), which (.*) ran$/,
    (facts, [, number, name, files, test]) => {
      const { before, evaluation } = facts.attempt;
      const failed = errorsOf(evaluation).find((one) => isNamed(one, test!));
      return (
        Number(number) === facts.attempt.iteration &&
        errorsOf(before).some((one) => isNamed(one, name!) && passes(one, evaluation)) &&
        failed !== undefined &&
        facts.rerunOf(failed, facts.writtenLines(files!.split(/, | and /))).some((seen) => seen.length > 0)
      );
    },
  ],
  [
    /print what (the test ".+?") receives from (.+), which no attempt has edited$/i,
    (facts, [, name, files]) => {
      const evaluation = facts.next?.before ?? facts.attempt.evaluation;
      const lead = errorsOf(evaluation).find((one) => isNamed(one, name!));
      const named = files!.replace(/ and \d+ more$/, '').split(/, | and /);
      const edited = facts.loop.attempts
        .filter(({ iteration }) => iteration <= facts.attempt.iteration)
        .flatMap((attempt) => new Facts(facts.loop, attempt).changedFiles());
      // The test runs a statement of each of the files.
      const isUsed = (file: string): boolean => {
        const rows = facts.textAt(facts.attempt.tree, file).split('\n');
        const prints = rows.map((_, at) => ({ file, line: at + 1, code: '' }));
        return facts.rerunOf(lead!, prints).some((seen) => seen.length > 0);
      };
      return lead !== undefined && named.every((file) => !edited.includes(file) && isUsed(file));
    },
  ],
  [
    /^(?:In my next attempt I will m|M)ake the change of attempt (\d+) again, which fixed (.*)$/,
    (facts, [, number, name]) => {
      const other = facts.other(Number(number));
      return (
        other !== undefined &&
        errorsOf(other.before).some((one) => isNamed(one, name!) && passes(one, other.evaluation))
      );
    },
  ],
  [
    /attempt (\d+) (?:has no answer|makes none) either/,
    ({ attempt }, [, number]) =>
      Number(number) === attempt.iteration + 1 &&
      attempt.trajectory.actions.every(({ type }) => !/^(?:code_mod|file_)/.test(type)),
  ],
  [
    /compare the test "(.+?)" with "(.+)" of the same file, which passes$/i,
    (facts, [, failing, passing]) => {
      const evaluation = facts.next?.before ?? facts.attempt.evaluation;
      const isLast = facts.next === undefined;
      return (
        isLast ||
        (errorsOf(evaluation).some((one) => isNamed(one, `the test "${failing}"`)) &&
          evaluation.tests.some(({ name, status }) => status === 'passed' && flat(name) === passing))
      );
    },
  ],
  [/^the first failure to work on is (.*)$/, (facts, [, step]) => stepHolds(facts, step!)],
  [/^In my next attempt I will (.*)$/s, (facts, [, step]) => stepHolds(facts, step!)],
  [
    /^(?:Print|Check whether|Fix|Look up|Check the syntax|Search |Find the smallest|Do without|Make no edit|Make the first|Work|Run|Compare|Write|Need|Leave|it needs a longer)\b.*/,
    (facts, [step]) => stepHolds(facts, step),
  ],
];
