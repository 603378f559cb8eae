import { dangerIn } from '../../../platform/redaction/unsafe-text.ts';
import { stepProblem, withoutGround } from '../../../prompts/foreign-advice.ts';
import { PLACE, type AttemptRecord } from './attempt-record.ts';
import { contradiction } from './contradiction.ts';
import { placeProblem } from './grounding.ts';
import { missingInStep } from './presupposed.ts';
import { MOST_CHARS } from './tenable.ts';

/** Results of attempts and tests, which a step must not state. */
const RESULT =
  /\b(?:which|that|it|this) (?:has |had )?(?:fixed|broke|solved|repaired|made)\b|\b\d+ (?:more |other |of \d+ )?(?:\w+ )?tests?\b|\btests? (?:now )?pass(?:es|ed)\b|\b(?:as|like|than) (?:in|after) attempt\b|\bthe reward\b/i;

/** Words of a step that makes a file, which need not exist. */
const CREATED = /\b(create|new file|add (?:a|the) file)\b/i;

/**
 * A step that a model proposes, without the grounds that it gives; undefined where it begins with one, takes a file, line,
 * name, test or command for granted that does not exist, states a result, is against ralph's rules, or where the code, the
 * patch or the trace says the opposite.
 * The code that it is to write is its own matter.
 */
export function plannedStep(step: string, record: AttemptRecord): string | undefined {
  if (step === '' || step.length > MOST_CHARS || dangerIn(step) !== undefined) return undefined;
  const head = withoutGround(step);
  if (head === undefined || stepProblem(step) !== undefined) return undefined;
  if (losesReplacement(head, step)) return undefined;
  if (RESULT.test(head) || hasUnknownPlace(head, record)) return undefined;
  if (missingInStep(head, record) !== undefined) return undefined;
  if (contradiction(step, record) !== undefined) return undefined;
  return `${head.replace(/[\s.,;:]+$/, '')}.`;
}

/** The word in front of the replacement: `replace a with b`. */
const REPLACEMENT = /\b(?:with|by|to|into|for)\b/i;

/** True for a step whose replacement stands behind a ground: without it, it says to take something away. */
function losesReplacement(head: string, step: string): boolean {
  const [, rest] =
    /\b(?:replace|change|swap|exchange|substitute|rename|convert|turn|rewrite)\b(.*)$/is.exec(head) ?? [];
  return rest !== undefined && !REPLACEMENT.test(rest) && REPLACEMENT.test(step.slice(head.length));
}

function hasUnknownPlace(text: string, record: AttemptRecord): boolean {
  if (CREATED.test(text)) return false;
  return [...text.matchAll(PLACE)].some(([, file, line]) => placeProblem(file!, line, record).length > 0);
}
