import type { EarlierReflection } from '../ports/reflection.ts';
import type { Evaluation, Reflection } from '../schema/generated.ts';

type Self = Reflection['self_reflection'];

/** Most failures that are named of an imported reflection. */
const MOST_NAMES = 3;

/**
 * What an attempt is told of a reflection of another loop. Its text speaks of the tree, the attempts and the failures of that
 * loop: what was tried and what came of it is told as of then, whether the edits are in the files as far as that was
 * looked up, and nothing of the tree that its loop went back to, nor its guesses. Its step is told if it is about a present
 * failure (`isCurrent`) and names no attempt. Of an imported reflection only what can be looked up here is told.
 */
export function toldOfEarlierLoop(
  reflection: EarlierReflection,
  evaluation: Evaluation,
  isCurrent: boolean,
): Self {
  const { self_reflection: self } = reflection;
  if (reflection.imported === true)
    return { ...self, reflection_text: toldOfImported(reflection, evaluation), ...NOTHING };
  const lines = self.reflection_text.split('\n').map((line) => line.trim());
  const facts = lines.filter((line) => line !== '' && !UNTOLD.test(line) && !STEP.test(line));
  const [step] = lines.filter((line) => STEP.test(line) && !NUMBERED.test(line.replace(STEP, '')));
  const told = facts.map((line) => asOfThen(line));
  return {
    ...self,
    reflection_text: [
      ...told.slice(0, 1).map((line) => `${line} ${standing(reflection)}`.trim()),
      ...told.slice(1),
      ...(isCurrent && step !== undefined
        ? [
            step.replace(
              STEP,
              (_, mark) => `The step that it named${mark === undefined ? '' : ', not checked'}: `,
            ),
          ]
        : []),
    ].join('\n'),
    actionable_insights: isCurrent ? self.actionable_insights.filter((one) => !NUMBERED.test(one)) : [],
    lessons_learned: [],
  };
}

const NOTHING = { actionable_insights: [], lessons_learned: [] };

/** Lines on the tree and the other attempts of that loop, and guesses about its code. */
const UNTOLD =
  /^Not checked:(?! In my next attempt)|\b(?:failed in that way|was also there) after attempts? \d|\bthis edit was not kept\b/i;
const STEP = /^(Not checked: )?In my next attempt I will /;
/** A number that is one of that loop's attempts. */
const NUMBERED = /\battempts? \d/i;

/** Clauses that compare with other attempts of that loop. */
const OTHER_ATTEMPTS =
  /; the (?:same change as in attempt \d+|tree is the same as after attempt \d+|tree is the original one again)(?=[.;])/g;
const EFFECT = /^The reward (?:stayed|went) /;
const STATES =
  /(^|\. )(Fixed|Passing now(?:, with the code as it was)?|Failing now, with the code as it was|New|Failing as before|Failing differently|Not reported again|Failing now, without a result before):/g;

function asOfThen(line: string): string {
  const [, number] = /^In attempt (\d+) I\b/.exec(line) ?? [];
  if (number !== undefined)
    return line
      .replace(OTHER_ATTEMPTS, '')
      .replace(/^In attempt \d+ I/, `In attempt ${number} of an earlier loop I`);
  if (EFFECT.test(line))
    return `Then ${line.charAt(0).toLowerCase()}${line.slice(1)}`.replace(
      STATES,
      (_, before: string, state: string) => `${before}${state.replace(/ now\b/, '')} then:`,
    );
  return `Seen then: ${/^[A-Z](?:[a-z]| )/.test(line) ? line.charAt(0).toLowerCase() + line.slice(1) : line}`;
}

function standing({ isInTree, actor_output: { files_modified: files } }: EarlierReflection): string {
  if (files.length === 0) return '';
  if (isInTree === undefined) return 'Its edits may not be in the files.';
  return isInTree
    ? 'Its edits were in the files when this loop began.'
    : 'Its edits were not in the files when this loop began.';
}

/** The failures that an imported reflection has in common with this tree; the rest of it is not told. */
function toldOfImported({ evaluator_output: { errors } }: Reflection, { diagnostics }: Evaluation): string {
  const known = new Set(errors.map(({ fingerprint }) => fingerprint));
  const names = [
    ...new Set(
      diagnostics
        .filter(({ fingerprint }) => known.has(fingerprint))
        .map(
          ({ file, line, rule, type }) =>
            `${rule ?? type}${file === undefined ? '' : ` at ${file}:${line ?? 1}`}`,
        ),
    ),
  ];
  const shared =
    names.length === 0
      ? 'It is about the same task.'
      : `It lists a failure that this tree has: ${names.slice(0, MOST_NAMES).join('; ')}.`;
  return `This reflection was imported, and what it says was not looked up here, so its text is not shown. ${shared}`;
}
