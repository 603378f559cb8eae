import { redact } from '../platform/redaction/redact.ts';
import { LEFT_OUT, orderIn } from '../platform/redaction/unsafe-text.ts';

/** Characters of a text that are read for instructions. */
const MOST_READ = 2000;

/**
 * A message of a test or tool as quoted data: its first sentence in quotation marks, without secrets, and nothing of one that
 * instructs its reader, so that none of it stands as a sentence of ralph.
 */
export function quotedMessage(message: string, shorten: (text: string) => string): string {
  if (orderIn(message.slice(0, MOST_READ)) !== undefined) return LEFT_OUT;
  // Secrets first: half of one, where the text is cut, is not known as one.
  return `"${shorten(redact(message)).replaceAll('"', "'")}"`;
}

/** A printed value: a number, text in quotation marks, a list or an object, or a single word. */
const PRINTED = /^(?:["'`[{(<…]|-?\d[\d_.,]*n?$|[^\s]+$|(?:\w+ ?(?:\(\d+\) ?)?)[[{(<])/;

/** A value of a test as data: as it was printed, in quotation marks if it is bare text, without secrets and instructions. */
export function quotedValue(value: string): string {
  if (orderIn(value) !== undefined) return LEFT_OUT;
  const shown = redact(value);
  return PRINTED.test(shown) ? shown : `"${shown.replaceAll('"', "'")}"`;
}
