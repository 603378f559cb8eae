import { flat, type Facts } from '../facts.ts';
import { shows, SPAN, type Rule } from './rule.ts';

const outcomeIs =
  (outcome: string) =>
  (facts: Facts): boolean =>
    facts.attempt.trajectory.outcome === outcome && facts.changedFiles().length === 0;

/** How the actor ended without a change, against its trajectory. */
export const ACTOR_RULES: readonly Rule[] = [
  [
    /^((?:the actor|the model|the program|the budget|nothing|I) .+) \("(.*)"\)$/i,
    (facts, [, rest, message], judge) =>
      judge(rest!) === 'true' && flat(facts.attempt.trajectory.message).includes(message!.replace(/…$/, '')),
  ],
  [
    /^the actor gave no answer$/i,
    ({ attempt }) =>
      attempt.trajectory.actor !== 'search' &&
      attempt.trajectory.actions.length === 0 &&
      attempt.trajectory.rationale === '',
  ],
  [
    /^the model (?:or its provider )?refused to answer$/i,
    (facts) =>
      facts.changedFiles().length === 0 &&
      /refused|\b(?:can(?:not|['’]t)|won['’]t|unable to)\b/i.test(facts.attempt.trajectory.message),
  ],
  [/^the actor was stopped at a time limit$/i, ({ attempt }) => attempt.trajectory.outcome === 'timed_out'],
  [
    // Words of a refusal are not those of one who is done.
    /^the actor ended as if it were done$/i,
    (facts) =>
      outcomeIs('claimed_done')(facts) &&
      !/^(?:sorry|i['’]m sorry|i can(?:not|['’]t) help with)/i.test(facts.attempt.trajectory.message),
  ],
  [/^the program ended with exit code 0$/i, outcomeIs('claimed_done')],
  [/^the actor ended$/i, outcomeIs('gave_up')],
  [/^the actor failed$/i, outcomeIs('failed')],
  [/^the budget was used up$/i, ({ attempt }) => attempt.trajectory.outcome === 'out_of_budget'],
  [
    /^at least (\d+) plausible edits? would fix failing tests and break none, and none was sure enough to be applied$/i,
    ({ attempt }, [, count]) =>
      [...attempt.trajectory.message.matchAll(/(\d+) plausible edits?; not chosen/g)].some(
        ([, found]) => Number(found) >= Number(count),
      ),
  ],
  [
    /^(\d+) edits? (?:was|were) tried on the failing tests$/,
    ({ attempt }, [, count]) => attempt.trajectory.ruled_out.tried === Number(count),
  ],
  [
    new RegExp(
      `^(?:the only command of the attempt failed,|all (\\d+) commands of the attempt failed, the last one) (${SPAN}) \\((.*)\\)$`,
      'i',
    ),
    ({ attempt }, [, count, command]) => {
      const run = attempt.trajectory.actions.filter((action) => action.command !== undefined);
      return (
        run.length === Number(count ?? 1) &&
        shows(command!, run.at(-1)!.command!) &&
        run.every(({ description }) => /exit code [1-9]|killed/.test(description))
      );
    },
  ],
];
