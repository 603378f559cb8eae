import { redact } from '../../../platform/redaction/redact.ts';
import { flatten } from '../../text/names.ts';
import type { Grounds, LessonCandidate } from '../contract.ts';
import { refusal, type GateResult } from './gate-result.ts';

/** Shorter quotes occur in nearly any text. */
const LEAST_CHARS = 4;
const SHOWN_CHARS = 80;

/** Looks up the quotes of a candidate in texts that were prepared once. */
export type Ground = (candidate: LessonCandidate) => GateResult;

/**
 * Requires at least one quote, and each quote to occur in one of the texts, apart from white space and with secrets
 * redacted. Statements of the user need no quote.
 */
export function groundIn(grounds: Grounds): Ground {
  if (grounds.kind === 'stated') return (candidate) => ({ ok: true, candidate });
  const texts = grounds.texts.map((text) => flatten(redact(text)));
  return (candidate) => {
    const quotes = candidate.evidence.map(({ quote }) => flatten(quote));
    if (quotes.length === 0) return refusal('ungrounded', 'It has no quote as evidence.');
    const short = quotes.find((quote) => quote.replaceAll(' ', '').length < LEAST_CHARS);
    if (short !== undefined)
      return refusal('ungrounded', `The quote ${shown(short)} is too short to be evidence.`);
    const missing = quotes.find((quote) => !texts.some((text) => text.includes(quote)));
    return missing === undefined
      ? { ok: true, candidate }
      : refusal('ungrounded', `The quote ${shown(missing)} occurs nowhere in the record.`);
  };
}

function shown(quote: string): string {
  return JSON.stringify(quote.length > SHOWN_CHARS ? `${quote.slice(0, SHOWN_CHARS)}…` : quote);
}
