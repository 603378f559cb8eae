import { errorsOf } from '../facts.ts';
import { changesNoCode, failuresIn, former, passes } from '../failures.ts';
import { isReward } from './result-rules.ts';
import type { Rule } from './rule.ts';

/** Which actions are blamed, against trajectory, trees and evaluations. */
export const CREDIT_RULES: readonly Rule[] = [
  [
    /^No recorded action has an edit that is still in the tree$/,
    (facts) =>
      !facts.attempt.trajectory.actions.some(
        ({ file_path: file, type }) =>
          /^(?:code_mod|file_)/.test(type) && file !== undefined && facts.changedFiles().includes(file),
      ),
  ],
  [
    /^Actions? (?:.*) made an edit that is refused, whatever the checks say$/,
    ({ attempt }) => (attempt.evaluation.tampering ?? []).length > 0,
  ],
  [
    /^No action is blamed: the reward rose from ([\d.]+) to ([\d.]+)(, and failures (?:were fixed|are gone))?$/,
    ({ attempt }, [, from, to, fixed]) =>
      isReward(from!, attempt.before.reward) &&
      isReward(to!, attempt.evaluation.reward) &&
      Number(to) > Number(from) &&
      (fixed === undefined || errorsOf(attempt.before).some((one) => passes(one, attempt.evaluation))),
  ],
  [
    /^No action is blamed and none has a merit: the attempt changed no code$/,
    (facts) => failuresIn('Passing now, with the code as it was', facts).length > 0,
  ],
  [/^No action is blamed: the attempt changed no code$/, changesNoCode],
  [
    /^No action is blamed: failures (?:were fixed|are gone), and none is new$/,
    ({ attempt }) =>
      errorsOf(attempt.before).some((one) => passes(one, attempt.evaluation)) &&
      !errorsOf(attempt.evaluation).some((one) => former({ attempt }, one) === undefined),
  ],
  [
    /^No action is blamed: a traced run of the test of a new failure executed no line that the attempt wrote$/,
    (facts) =>
      failuresIn('New', facts).some((one) =>
        facts.rerunOf(one, facts.writtenLines()).every((seen) => seen.length === 0),
      ),
  ],
  [
    /^Actions? (.*) edited lines that the test of a new failure ran$/,
    (facts, [, list]) => {
      const { before, evaluation, trajectory } = facts.attempt;
      const fresh = errorsOf(evaluation).filter(
        (one) => one.test_id !== undefined && !errorsOf(before).some(({ test_id: id }) => id === one.test_id),
      );
      const ranBy = (file: string): boolean =>
        fresh.some((one) => facts.rerunOf(one, facts.writtenLines([file])).some((seen) => seen.length > 0));
      const blamed = [...list!.matchAll(/\d+/g)].map(
        ([index]) => trajectory.actions[Number(index)]?.file_path,
      );
      return blamed.length > 0 && blamed.every((file) => file !== undefined && ranBy(file));
    },
  ],
  [
    /^Actions? (.*) edited files?(?: that the new failures name| on which the verdict depends)?$/,
    (facts, [, list]) => {
      const { evaluation, trajectory } = facts.attempt;
      return [...list!.matchAll(/\d+/g)].every(
        ([index]) =>
          facts.changedFiles().includes(trajectory.actions[Number(index)]?.file_path ?? '') ||
          (evaluation.tampering ?? []).length > 0,
      );
    },
  ],
  [
    /^none of the failures that the checks listed before is known to be fixed$/,
    ({ attempt }) => !errorsOf(attempt.before).some((one) => passes(one, attempt.evaluation)),
  ],
  [
    /^after the attempt there (?:was a new failure|were new failures)$/,
    ({ attempt }) =>
      errorsOf(attempt.evaluation).some(
        (one) => !errorsOf(attempt.before).some(({ fingerprint }) => fingerprint === one.fingerprint),
      ),
  ],
];
