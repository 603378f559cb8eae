import { errorsOf, flat } from '../facts.ts';
import {
  countOf,
  failureIn,
  failuresIn,
  former,
  inState,
  isCut,
  isNamed,
  relationHolds,
} from '../failures.ts';
import type { Rule } from './rule.ts';

/** A reward with the digits that the text has. */
export function isReward(text: string, reward: number): boolean {
  return reward.toFixed(text.split('.')[1]?.length ?? 0) === text;
}

/** Reward, states of failures and the first failure, against the evaluations before and after. */
export const RESULT_RULES: readonly Rule[] = [
  [
    /^the failure to work on there: (.*)$/,
    (facts, [, failing]) => facts.next === undefined || failureIn(failing!, facts.next.before) !== undefined,
  ],
  [
    /^The reward (?:stayed at|went from ([\d.]+) to) ([\d.]+)$/,
    ({ attempt: { before, evaluation } }, [, from, to]) =>
      isReward(to!, evaluation.reward) &&
      isReward(from ?? to!, before.reward) &&
      (from !== undefined || before.reward === evaluation.reward),
  ],
  [
    /^(Failing as before|Failing differently): (\d+)$/,
    (facts, [, state, count]) => countOf(failuresIn(state!, facts)) === Number(count),
  ],
  [
    /^(Fixed|Passing now|Passing now, with the code as it was|Not reported again|New|Failing now, without a result before): (.*)$/,
    (facts, [, state, list]) => inState(state!, facts, list!),
  ],
  [
    /^(\d+) tests? of the start did not run: /,
    ({ attempt }, [, count]) => attempt.evaluation.missing_tests.length === Number(count),
  ],
  [
    /^the check "(.*)" did not pass: (.*)$/i,
    ({ attempt }, [, name, detail]) =>
      attempt.evaluation.checks.some(
        (check) =>
          check.name === name &&
          flat(check.detail).startsWith(detail!.replace(/…$/, '')) &&
          check.status !== 'pass',
      ),
  ],
  [/^The checks: /, () => true],
  [
    /^(.*): the received value (.*)$/,
    (facts, [, rest, relation], judge) => {
      const found = failureIn(rest!, facts.attempt.evaluation);
      return (
        found !== undefined &&
        judge(rest!) === 'true' &&
        relationHolds(relation!, found.expected!, found.received!)
      );
    },
  ],
  [
    /^(The test ".*?" at \S+:\d+) expected (.*) but received (.*)$/,
    (facts, [, name, expected, received]) => {
      const found = failureIn(name!, facts.attempt.evaluation);
      return (
        found !== undefined &&
        isCut(expected!, found.expected ?? '') &&
        isCut(received!, found.received ?? '')
      );
    },
  ],
  [
    /^(.+ at \S+|The test ".*"|A .* of ".*"|A .* when \S+ runs) \("(.*)"\)$/,
    (facts, [, name, message]) => {
      const said = message!.replace(/…$/, '').slice(0, 130);
      const found =
        failureIn(name!, facts.attempt.evaluation) ??
        facts.reported().find((one) => flat(one.message).replaceAll('"', "'").startsWith(said.slice(0, 20)));
      return found !== undefined && flat(found.message).replaceAll('"', "'").includes(said);
    },
  ],
  [
    /^it received (.*) before the attempt$/i,
    (facts, [, value]) =>
      facts
        .reported()
        .slice(0, 1)
        .some(
          (one) =>
            isCut(value!, former(facts, one)?.received ?? '') &&
            one.received !== former(facts, one)!.received,
        ),
  ],
  [
    /^It (?:was also there|failed in that way) after attempts? ([\d, and]+) too$|^It was also there after attempts? ([\d, and]+)$/i,
    (facts, [, list, other]) => {
      // "It" is the failure of the tree to go back to where the sentence before names one.
      const there = /the failure to work on there: ([^\n]*?); it /.exec(
        facts.attempt.reflection.self_reflection.reflection_text,
      )?.[1];
      return [...(list ?? other!).matchAll(/\d+/g)].every(([number]) => {
        const { evaluation } = facts.other(Number(number))!;
        return there === undefined
          ? errorsOf(evaluation).some(({ fingerprint }) => fingerprint === facts.reported()[0]?.fingerprint)
          : failureIn(there, evaluation) !== undefined;
      });
    },
  ],
  [
    /^(.*) (?:was also there after attempts?|failed in that way after attempts?) ([\d, and]+)(?: too)?$/,
    (facts, [, name, list]) =>
      [...list!.matchAll(/\d+/g)].every(([number]) =>
        errorsOf(facts.other(Number(number))!.evaluation).some((one) =>
          isNamed(
            one,
            name!.replace(/^(The test|An? )/, (word) => word.toLowerCase()),
          ),
        ),
      ),
  ],
  [
    /^this edit was not kept: the tree goes back to (?:the original one|that of attempt (\d+))$/i,
    (facts, [, number]) => facts.next === undefined || facts.next.startedFrom === Number(number ?? 0),
  ],
];
