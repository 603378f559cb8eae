import { isAdvice } from '../../../prompts/advice.ts';
import { withoutGround } from '../../../prompts/foreign-advice.ts';
import { oneLine } from '../../../prompts/phrases.ts';
import type { ReflectionInput } from '../../../ports/reflection.ts';
import { plural } from '../../../platform/text/plural.ts';
import { boundText } from '../../../platform/text/bounded-text.ts';
import { sentencesOf } from '../../../platform/text/sentences.ts';
import type { SelfReflection } from '../../../schema/generated.ts';
import { assignCredit, renderCause, renderCredit } from '../credit.ts';
import { gatherEvidence } from '../evidence.ts';
import { checkedLines } from '../narrative.ts';
import { shownLessons } from '../rules.ts';
import { PLACE, recordOf, type AttemptRecord } from './attempt-record.ts';
import { plannedStep } from './plan.ts';
import { stepProblem } from './step-problem.ts';
import { isTenableGuess } from './tenable.ts';

/** Begins a model's guess, as a question, and its step in a stored reflection: nothing has checked them. */
const UNCHECKED = 'Not checked:';

/** The stored reflection, or why nothing of the answer can be kept. */
export type Composed =
  | { readonly ok: true; readonly reflection: SelfReflection }
  | { readonly ok: false; readonly reasons: readonly string[] };

/** The reason where no step is kept, which the model is told. */
const NO_STEP =
  'No step is one sentence in English that begins with a verb of editing or reading code, such as "Replace" or "Print", and names only files, lines and names of the code itself, without tests, settings, packages and the values of failing tests; or it was given before, is the edit that has just failed, takes back what helped, or cannot be done.';

const MOST_LINES = 6;
const MOST_LESSONS = 10;
/** Characters of the guesses in one field. */
const MAX = { guess: 400, cause: 1500, reasoning: 3000 } as const;

/**
 * The reflection that is stored for a model's answer. What the attempt changed and what came of it is said in ralph's own
 * sentences, each checked on the record. Of the model's text only guesses about the code, which are marked as not checked,
 * and the next steps are kept, and of these only what the record does not contradict.
 */
export function composeReflection(answer: SelfReflection, input: ReflectionInput): Composed {
  const record = recordOf(input);
  const evidence = gatherEvidence(input);
  const { reflection_text: text, credit_assignment: credit, causal_reasoning: reasoning } = answer;
  const sentences = sentencesOf(text);
  const planned = (one: string): string[] => {
    const step = plannedStep(one, record);
    return step === undefined || stepProblem(step, evidence) !== undefined ? [] : [step];
  };
  const steps = answer.actionable_insights.flatMap(planned);
  const lessons = answer.lessons_learned.flatMap(planned).filter((one) => !isOfOneLine(one));
  const intended = sentences.flatMap((one) => planned(/\bI will (.+)$/s.exec(one)?.[1] ?? ''));
  const [next] = [...intended, ...steps.map(asIntended)];
  if (next === undefined)
    return {
      ok: false,
      reasons: [NO_STEP],
    };
  const guesses = guessesIn([credit.root_cause, text], record);
  const others = guessesIn([reasoning], record)
    .filter((one) => !guesses.includes(one))
    .slice(0, 1);
  const guess = [...guesses, ...others].slice(0, 1).map((one) => `${UNCHECKED} ${one}`);
  const facts = checkedLines(evidence, MOST_LINES - 1 - guess.length);
  const assigned = assignCredit(evidence);
  return {
    ok: true,
    reflection: {
      ...answer,
      reflection_text: [...facts, ...guess, `${UNCHECKED} In my next attempt I will ${next}`].join('\n'),
      credit_assignment: {
        ...credit,
        failing_action_indices: [...assigned.indices.slice(0, 2000)],
        root_cause: withGuesses(renderCause(evidence), guesses.slice(0, 1), MAX.cause),
      },
      causal_reasoning: [
        withGuesses(renderCredit(evidence, assigned), others, MAX.reasoning),
        ...leftOut(answer, { steps: steps.length, lessons: lessons.length }),
      ].join(' '),
      actionable_insights: steps.length > 0 ? steps : intended.map(capital).slice(0, 20),
      lessons_learned: [...shownLessons(input), ...lessons].slice(0, MOST_LESSONS),
    },
  };
}

/** True for an edit at one line: a step, and no lesson for other attempts. */
function isOfOneLine(lesson: string): boolean {
  return [...lesson.matchAll(PLACE)].some(([, , line]) => line !== undefined);
}

function guessesIn(texts: readonly string[], record: AttemptRecord): string[] {
  const found = texts
    .flatMap(sentencesOf)
    .map((sentence) => sentence.replace(/\s*\?$/, ''))
    .filter((sentence) => isTenableGuess(sentence, record))
    // Nothing has looked up why it should be so.
    .flatMap((sentence) => {
      const stated = withoutGround(sentence);
      return stated === undefined ? [] : [stated.replace(/[\s.,;:]+$/, '')];
    });
  return [...new Set(found)].map((sentence) => asQuestion(oneLine(sentence, MAX.guess)));
}

/** Words that begin a sentence and are no names of the code. */
const FIRST_WORD =
  /^(?:The|An?|This|That|These|Those|It|Its|There|In|At|On|For|With|When|If|Each|Every|Both|All|No)(?= )/;

/** The beginning of a question; `When` and its like with a comma behind them begin a statement. */
const ASKS =
  /^(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|will|would|should)(?:n't)? |why |(?:how|what|which|where|when) (?!.*,))/i;

/** A guess, without its full stop or question mark, as a question: what nobody has looked up is no statement. */
function asQuestion(guess: string): string {
  if (ASKS.test(guess)) return `${guess}?`;
  return `is it so that ${guess.replace(FIRST_WORD, (word) => word.toLowerCase())}?`;
}

/** How much of the model's advice is not kept, as a sentence. */
function leftOut(
  { actionable_insights: proposed, lessons_learned: learned }: SelfReflection,
  kept: { readonly steps: number; readonly lessons: number },
): string[] {
  const counts = [
    { count: proposed.length - kept.steps, thing: 'step' },
    { count: learned.length - kept.lessons, thing: 'lesson' },
  ].filter(({ count }) => count > 0);
  if (counts.length === 0) return [];
  const [first] = counts;
  const verb = counts.length === 1 && first!.count === 1 ? 'is' : 'are';
  return [
    `Of the model's advice ${counts.map(({ count, thing }) => plural(count, thing)).join(' and ')} ${verb} left out.`,
  ];
}

function withGuesses(checked: string, guesses: readonly string[], limit: number): string {
  if (guesses.length === 0) return checked;
  return `${checked} ${UNCHECKED} ${boundText(guesses.join(' '), limit)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A step as the end of "In my next attempt I will …". */
function asIntended(step: string): string {
  return isAdvice(step) &&
    /^[A-Z][a-z]+ /.test(step) &&
    !/^(?:At|In|On|For|To|When|If|Before|After|With) /.test(step)
    ? step.charAt(0).toLowerCase() + step.slice(1)
    : `do this: ${step}`;
}
