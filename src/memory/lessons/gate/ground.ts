import { redact } from '../../../platform/redaction/redact.ts';
import type { Grounds, LessonCandidate } from '../contract.ts';
import { refusal, type Passage } from './verdict.ts';

/** A shorter quote stands in nearly any text. */
const LEAST_CHARS = 4;
const SHOWN_CHARS = 80;

/** Looks for the quotes of candidates in texts that are prepared once. */
export type Ground = (candidate: LessonCandidate) => Passage;

/**
 * Each quote must stand in one of the texts, white space aside and secrets taken out; at least one is asked for. What
 * the user states needs none.
 */
export function groundIn(grounds: Grounds): Ground {
  if (grounds.kind === 'stated') return (candidate) => ({ ok: true, candidate });
  const texts = grounds.texts.map((text) => plain(redact(text)));
  return (candidate) => {
    const quotes = candidate.evidence.map(({ quote }) => plain(quote));
    if (quotes.length === 0) return refusal('ungrounded', 'It quotes nothing that was seen.');
    const short = quotes.find((quote) => quote.replaceAll(' ', '').length < LEAST_CHARS);
    if (short !== undefined)
      return refusal('ungrounded', `The quote ${shown(short)} is too short to be found.`);
    const missing = quotes.find((quote) => !texts.some((text) => text.includes(quote)));
    return missing === undefined
      ? { ok: true, candidate }
      : refusal('ungrounded', `The quote ${shown(missing)} stands nowhere in what was seen.`);
  };
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function shown(quote: string): string {
  return JSON.stringify(quote.length > SHOWN_CHARS ? `${quote.slice(0, SHOWN_CHARS)}…` : quote);
}
