import { dangerIn } from '../../../platform/redaction/unsafe-text.ts';
import { PLACE, type AttemptRecord } from './attempt-record.ts';
import { placeProblem } from './grounding.ts';
import { isTenableGuess, MOST_CHARS } from './tenable.ts';

/** A clause that gives a reason or adds a fact to a step. */
const REASON =
  /[,;:]?\s+(?:because|since|as (?!in\b|a\b|an\b|the argument\b)|which|whereas|although|even though|now that|given that|so that|whose)\b|;\s+|\s+[–—]\s+/i;

/** Results of attempts and tests, which a step must not state. */
const RESULT =
  /\b(?:which|that|it|this) (?:has |had )?(?:fixed|broke|solved|repaired|made)\b|\b\d+ (?:more |other |of \d+ )?(?:\w+ )?tests?\b|\btests? (?:now )?pass(?:es|ed)\b|\b(?:as|like|than) (?:in|after) attempt\b|\bthe reward\b/i;

/** Words of a step that makes a file, which need not exist. */
const CREATED = /\b(create|new file|add (?:a|the) file)\b/i;

/**
 * A step that a model proposes, without reasons and facts that the record does not bear out; undefined where it names a
 * file or line that does not exist, or states a result. The code that it is to write is its own matter.
 */
export function plannedStep(step: string, record: AttemptRecord): string | undefined {
  if (step === '' || step.length > MOST_CHARS || dangerIn(step) !== undefined) return undefined;
  const [head, reason] = dividedAt(step, REASON);
  if (RESULT.test(head) || hasUnknownPlace(head, record)) return undefined;
  const isBorneOut = reason === '' || isTenableGuess(reason.replace(/^[,;:]?\s+\w+\s+/, ''), record);
  const kept = isBorneOut ? step : head;
  return `${kept.replace(/[\s.,;:]+$/, '')}.`;
}

function hasUnknownPlace(text: string, record: AttemptRecord): boolean {
  if (CREATED.test(text)) return false;
  return [...text.matchAll(PLACE)].some(([, file, line]) => placeProblem(file!, line, record).length > 0);
}

/** A text before the first match outside code, and the rest. */
function dividedAt(text: string, pattern: RegExp): [string, string] {
  const masked = text.replace(/`[^`]*`|"[^"]*"|'[^']*'/g, (match) => 'x'.repeat(match.length));
  const at = masked.search(pattern);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
